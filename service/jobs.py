"""The jobs at the end of a game: to close it, and to write its record. Both are safe to run twice, or half.

A job is named by the game, so that it is in the queue once; it takes nothing but the game's id, and finds the
parts that it works with in its own process.
"""

from contextlib import suppress
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry as Repeat
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError, InvalidJobOperation, NoSuchJobError
from rq.job import Job, JobStatus
from rq.registry import StartedJobRegistry
from rq.utils import now

from events.store import TIMEOUT_S, Stream
from replay.record import record_bytes
from service.commands import Commands
from service.config import Settings, UnusableSettings
from service.live import UnknownGameId
from service.records import Records
from service.wiring import open_commands

QUEUE = "cairn"
CLOSE = "close_game"
EXPORT = "export_record"
NAMES = {CLOSE: "close", EXPORT: "export"}

RETRIES = 3
LONGEST_S = 30
"""How long a job may take; it takes well under a second."""

LOST_S = 10
"""A job that was begun so long ago was lost with its worker, most likely; running twice does no harm."""

REPEAT_S = 60
"""A job that failed for good is tried anew after this time."""


class Parts(NamedTuple):
    """What jobs work with."""

    commands: Commands
    records: Records


class Given:
    """The parts that this process was given, if they are not those of its environment."""

    parts: Parts | None = None


def close_game(game_id: str) -> None:
    """Close a game that is over: every entry of its log is decided anew first."""
    parts().commands.close(game_id)


def export_record(game_id: str) -> None:
    """Write the record of a game; raise `UnknownGameId` if there is none."""
    commands, records = parts()
    entries = commands.store.read(Stream("game", game_id))
    if not entries:
        raise UnknownGameId(game_id)
    records.write(game_id, record_bytes(game_id, entries, commands.keys))


def parts() -> Parts:
    """Return what jobs of this process work with."""
    return Given.parts or open_parts(Settings.from_environment())


@cache
def open_parts(settings: Settings) -> Parts:
    """Return what jobs work with by `settings`, the same for the same ones."""
    return Parts(open_commands(settings), open_records(settings))


def open_records(settings: Settings) -> Records:
    """Return the place of all records; raise `UnusableSettings` if there can be none."""
    try:
        if "://" not in settings.artefacts:
            Path(settings.artefacts).mkdir(parents=True, exist_ok=True)
        return Records(settings.artefacts)
    except OSError as error:
        raise UnusableSettings(f"The folder of CAIRN_ARTEFACTS cannot be made: {error.strerror}.") from error
    except (ValueError, ImportError) as error:
        raise UnusableSettings(f"CAIRN_ARTEFACTS names no place for records: {error}") from error


def open_queue(connection: redis.Redis) -> Queue:
    """Return the queue of all jobs."""
    return Queue(QUEUE, connection=connection, serializer="json")


def queue_of(settings: Settings) -> Queue:
    """Return the queue of `settings`, for somebody who tries again by himself when it is away.

    A command fails within `TIMEOUT_S` seconds; only a connection that was lost meanwhile is opened anew at once.
    """
    once = Repeat(NoBackoff(), 1, (redis.ConnectionError,))
    return open_queue(redis.Redis.from_url(settings.queue_url, socket_timeout=TIMEOUT_S, retry=once))


def ensure(queue: Queue, job: str, game_ids: list[str]) -> int:
    """See to it that `job` of each game waits or runs; put it in the queue if not, and return how many were."""
    if not game_ids:
        return 0
    waiting = set(queue.get_job_ids())
    StartedJobRegistry(queue=queue).cleanup()
    missing = [game_id for game_id in game_ids if job_id(job, game_id) not in waiting]
    return sum(_ensure(queue, job, game_id) for game_id in missing)


def job_id(job: str, game_id: str) -> str:
    """Return the id of `job` of a game."""
    return f"{NAMES[job]}-{game_id}"


def _ensure(queue: Queue, job: str, game_id: str) -> bool:
    standing = _fetch(queue, job_id(job, game_id))
    if standing is not None:
        if _is_alive(standing):
            return False
        _drop(standing)
    try:
        _enqueue(queue, job, game_id)
    except DuplicateJobError:
        return False
    return True


def _enqueue(queue: Queue, job: str, game_id: str) -> None:
    queue.enqueue_call(
        f"{__name__}.{job}",
        args=(game_id,),
        job_id=job_id(job, game_id),
        unique=True,
        retry=Retry(max=RETRIES),
        timeout=LONGEST_S,
        result_ttl=0,
    )


def _fetch(queue: Queue, name: str) -> Job | None:
    try:
        return Job.fetch(name, connection=queue.connection, serializer=queue.serializer)
    except NoSuchJobError:
        return None


def _is_alive(job: Job) -> bool:
    """Tell whether a job that is not in the queue may still be run, or failed only just now."""
    status = job.get_status(refresh=False)
    if status == JobStatus.FAILED:
        return _is_younger(job, REPEAT_S)
    return status in (JobStatus.QUEUED, JobStatus.STARTED) and _is_younger(job, LOST_S)


def _is_younger(job: Job, seconds: float) -> bool:
    moment = job.ended_at or job.started_at or job.enqueued_at or job.created_at
    return now() - moment < timedelta(seconds=seconds)


def _drop(job: Job) -> None:
    with suppress(InvalidJobOperation, NoSuchJobError):  # somebody else may be faster
        job.delete()
