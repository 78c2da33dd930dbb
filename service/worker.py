"""The worker for the jobs: RQ's, save that it waits for a queue that is away or full, as the followers do.

RQ's own loop prints a traceback then and ends, with the status of a success.
"""

import logging
import signal
from contextlib import suppress
from time import sleep
from types import TracebackType

import redis
from rq import Worker
from rq.exceptions import DequeueTimeout, StopRequested
from rq.job import Job
from rq.worker.base import WorkerStatus

from events.store import StoreUnavailable
from service.config import Settings, UnusableSettings
from service.jobs import Given, open_parts, queue_of

RETRY_S = 0.5
"""How long the worker waits when the queue is away."""

SILENCE_S = 60
"""How long the worker says nothing of itself at most, while it waits for a job; the queue forgets it a minute later."""

LEAVING_S = 2.0
"""How long the queue may take for a command when the worker leaves."""

log = logging.getLogger(__name__)


def work(settings: Settings) -> None:
    """Run the jobs of the queue until SIGTERM or SIGINT; raise `UnusableSettings` if it cannot even be begun."""
    Given.parts = open_parts(settings)  # opened once, before the worker forks for each job
    queue = queue_of(settings)
    try:
        with queue_of(settings).connection as asking:
            asking.ping()  # the worker itself, which has to wait for jobs, would wait long for a server that hangs
        worker = PatientWorker([queue], connection=queue.connection, serializer="json", worker_ttl=SILENCE_S)
        worker.bootstrap("WARNING")
    except redis.RedisError as error:
        raise UnusableSettings(f"The Redis server of CAIRN_QUEUE_URL cannot be used: {error}") from error
    logging.getLogger("rq.worker").addFilter(_without_traceback)
    worker.run()


class PatientWorker(Worker):
    """RQ's worker with a loop that outlives an outage, and tells it once."""

    def run(self) -> None:
        """Run jobs until told to stop."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.request_stop)
        away = False
        try:
            while not self._stop_requested:
                try:
                    self._turn()
                    away = False
                except redis.RedisError as outage:
                    if not away:
                        log.warning("work waits for the queue: %s", outage)
                    away = True
                    sleep(RETRY_S)
        except StopRequested:
            pass
        finally:
            self._leave()

    def subscribe(self) -> None:
        """Take no commands over the queue; the thread that listens for them would be one more to tell of an outage."""

    def set_shutdown_requested_date(self) -> None:
        """Tell nobody that this worker ends after its job: it is in a signal's handler, and the queue may be away."""

    def handle_exception(
        self, job: Job, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Tell why a job failed; of an outage one sentence says enough, as the job is run again."""
        if isinstance(error, StoreUnavailable | redis.RedisError):
            self.log.warning("%s is left for later: %s", job.id, error)
        else:
            super().handle_exception(job, kind, error, trace)

    def _turn(self) -> None:
        """Wait a while for a job, and run it."""
        self.check_for_suspension(burst=False)
        self.set_state(WorkerStatus.IDLE)
        self.heartbeat()
        if self.should_run_maintenance_tasks:
            self.run_maintenance_tasks()  # type: ignore[no-untyped-call]  # RQ left its type out
        with suppress(DequeueTimeout):
            found = self.queue_class.dequeue_any(
                self.queues, self.dequeue_timeout, self.connection, self.job_class, self.serializer
            )
            if found is not None:
                self.execute_job(*found)

    def _leave(self) -> None:
        """Sign off, if the queue answers soon."""
        pool = self.connection.connection_pool
        pool.connection_kwargs["socket_timeout"] = LEAVING_S
        pool.disconnect()
        pool.reset()  # else its connections would be opened anew as they were
        try:
            self.register_death()  # type: ignore[no-untyped-call]  # for the same reason
        except redis.RedisError as error:
            log.warning("work could not sign off, and is forgotten after a while: %s", error)


def _without_traceback(record: logging.LogRecord) -> bool:
    """Let an outage that RQ tells with a traceback be told without."""
    if record.exc_info and isinstance(record.exc_info[1], redis.RedisError):
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {record.exc_info[1]}", (), None
    return True
