"""A tether: runs a command that ends with the process that started it, where the system can do that (Linux).

Used as `python tether.py PARENT COMMAND…`. It asks for SIGTERM at its parent's end, then becomes the command. So
even a supervisor that is killed leaves nothing behind.
"""

import ctypes
import os
import signal
import sys

SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of <sys/prctl.h>; it outlasts exec."""


def main(arguments: list[str]) -> None:
    """Become the command, tied to the process whose id comes first."""
    parent, command = int(arguments[0]), arguments[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
        if os.getppid() != parent:  # it ended before it was asked about
            sys.exit(1)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
