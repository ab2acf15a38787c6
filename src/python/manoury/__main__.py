"""The program ``manoury``, also as ``python -m manoury``."""

import signal
import sys

from ._manoury import run


def main() -> int:
    """Runs the program with the arguments of the process. Returns its exit code."""
    # The program treats Ctrl-C itself; Python would keep it to itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["manoury", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
