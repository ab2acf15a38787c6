"""The draughts engine Manoury, a program that speaks the Hub protocol.

``manoury`` is on the path of the environment it is installed in. Where that is not the path of
the caller, :func:`program` tells where it is:

>>> import subprocess, manoury
>>> answer = subprocess.run([manoury.program(), "perft", "--depth", "4"], capture_output=True, text=True)
>>> answer.stdout.split()[0]
'nodes=4265'
"""

import os
import sysconfig

__all__ = ["program"]

_SCHEMES = (
    sysconfig.get_default_scheme() if hasattr(sysconfig, "get_default_scheme") else None,
    f"{os.name}_user",
)


def program() -> str:
    """The path of the program.

    Raises FileNotFoundError if it has been removed.
    """
    name = "manoury" + (sysconfig.get_config_var("EXE") or "")
    folders = [sysconfig.get_path("scripts", scheme) for scheme in _SCHEMES if scheme]
    # `pip install --target DIR` puts scripts into DIR/bin.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"no {name} in {', '.join(folders)}")
