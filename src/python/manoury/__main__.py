"""``python -m manoury`` is the program."""

import os
import subprocess
import sys

from manoury import program

if sys.platform == "win32":
    # A process cannot be replaced there: the caller would take the new one for ended.
    sys.exit(subprocess.run([program(), *sys.argv[1:]]).returncode)
os.execv(program(), [program(), *sys.argv[1:]])
