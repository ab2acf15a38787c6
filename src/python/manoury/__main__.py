"""The program ``manoury``, also as ``python -m manoury``."""

import signal
import sys

from ._manoury import run


def main() -> int:
    """Runs the program with the command line and returns its exit code."""
    # The program handles Ctrl-C; Python's own handler would intercept it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["manoury", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
