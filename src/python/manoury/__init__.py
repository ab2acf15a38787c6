"""The draughts engine Manoury: boards, games, searches and bitbases for sixteen variants.

>>> from manoury import Board, Engine, Limit
>>> board = Board()
>>> with Engine() as engine:
...     result = engine.play(board, Limit(depth=9))
>>> board.push(result.move)

- Positions: :class:`Board`, :class:`Move`, :class:`LegalMoves`, :class:`Piece`, :class:`Outcome`
- Games: :class:`Game`, :class:`Node`, :func:`read_games`
- Engines: :class:`Engine`, :class:`HubEngine`, :class:`Limit`, :class:`Info`, :class:`Score`,
  :class:`Analysis`
- Endings: :class:`Bitbases`, :class:`Verdict`

The package also installs the ``manoury`` program, which speaks the Hub protocol. If it is not on the
path, :func:`program` finds it:

>>> import subprocess, manoury
>>> answer = subprocess.run([manoury.program(), "perft", "--depth", "4"], capture_output=True, text=True)
>>> answer.stdout.split()[0]
'nodes=4265'
"""

import os
import sysconfig

from ._manoury import Bitbases, Board, LegalMoves, Move, Outcome, PdnGame, Piece, Verdict, read_pdn
from .engine import (
    Analysis,
    BaseEngine,
    Engine,
    EngineError,
    Info,
    Limit,
    Option,
    Score,
    SearchResult,
)
from .games import Game, Node, read_games
from .hub import HubEngine

__all__ = [
    "Analysis",
    "BaseEngine",
    "Bitbases",
    "Board",
    "Engine",
    "EngineError",
    "Game",
    "HubEngine",
    "Info",
    "LegalMoves",
    "Limit",
    "Move",
    "Node",
    "Option",
    "Outcome",
    "PdnGame",
    "Piece",
    "Score",
    "SearchResult",
    "Verdict",
    "program",
    "read_games",
    "read_pdn",
]

_SCHEMES = (
    sysconfig.get_default_scheme() if hasattr(sysconfig, "get_default_scheme") else None,
    f"{os.name}_user",
)


def program() -> str:
    """The path of the ``manoury`` program.

    Raises FileNotFoundError if it is missing.
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
