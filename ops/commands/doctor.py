"""`cairn doctor`: everything the service leans on, checked, with what to mend."""

import sys
from dataclasses import replace

import click

from service.config import Settings


@click.command("doctor")
@click.option("--allow-unsafe-redis", is_flag=True, help="Only warn of a server that may lose what it acknowledged.")
def command(allow_unsafe_redis: bool) -> None:
    """Check the Redis server, store, keys, queue and followers; exit with 1 if something has to be mended."""
    from rich.console import Console

    from service.health import checks

    settings = Settings.from_environment()
    found = checks(replace(settings, allow_unsafe_redis=allow_unsafe_redis or settings.allow_unsafe_redis))
    console = Console(highlight=False)
    for check in found:
        sign = "[green]ok[/]" if check.ok else "[red]mend[/]" if check.vital else "[yellow]warn[/]"
        console.print(f"{sign:>14}  {check.name}: ", end="")
        console.print(check.found, markup=False, soft_wrap=True)
        if not check.ok:
            console.print(f"      {check.mend}", markup=False, soft_wrap=True)
    sys.exit(any(check.vital and not check.ok for check in found))
