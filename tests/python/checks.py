"""What the tests of the module share."""

import pathlib
from typing import Callable


def resident() -> int:
    """The memory of this process in KiB; 0 where it is unknown."""
    status = pathlib.Path("/proc/self/status")
    if not status.exists():
        return 0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


def raises(kind: type[BaseException], words: str, action: Callable[[], object]) -> None:
    try:
        action()
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"no {kind.__name__}")


def run(*checks: Callable[[], None]) -> None:
    for check in checks:
        check()
        print(f"{check.__name__[6:].replace('_', ' ')}: well")
