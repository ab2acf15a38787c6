"""Engines: one move, an analysis, or a stream of lines."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Optional, TypeVar, Union

from ._manoury import Board, Control, Move, NativeEngine

if TYPE_CHECKING:
    from .hub import HubEngine

__all__ = ["Analysis", "BaseEngine", "Engine", "EngineError", "Info", "Limit", "Option", "Score", "SearchResult"]

_Path = Union[str, "os.PathLike[str]"]
_Value = Union[bool, int, str, None]

_WIN = 100.0
_BITBASE_WIN = 90.0
_MAX_EVALUATION = 80.0


class EngineError(RuntimeError):
    """An engine's program ended, did not answer in time, or broke the protocol."""


class Score(float):
    """A score in men, from the point of view of :attr:`side`.

    It is a float: above 0 if that side is better, above 80 if it is proven to win.

    >>> from manoury import Score
    >>> score = Score(99.97, "black")
    >>> score.is_win, score.plies_to_end, score.white
    (True, 3, Score(-99.97, 'white'))
    """

    side: str

    def __new__(cls, men: float, side: str) -> Score:
        if side not in ("white", "black"):
            raise ValueError(f"not a side: {side!r}; expected white or black")
        score = super().__new__(cls, men)
        score.side = side
        return score

    def pov(self, side: str) -> Score:
        """The same score from the point of view of ``"white"`` or ``"black"``."""
        return self if side == self.side else Score(-float(self), side)

    @property
    def white(self) -> Score:
        """The score from White's point of view."""
        return self.pov("white")

    @property
    def black(self) -> Score:
        """The score from Black's point of view."""
        return self.pov("black")

    @property
    def is_proven(self) -> bool:
        """Whether a win or loss is proven."""
        return abs(self) > _MAX_EVALUATION

    @property
    def is_win(self) -> bool:
        """Whether :attr:`side` is proven to win."""
        return self > _MAX_EVALUATION

    @property
    def is_loss(self) -> bool:
        """Whether :attr:`side` is proven to lose."""
        return self < -_MAX_EVALUATION

    @property
    def plies_to_end(self) -> Optional[int]:
        """The plies to the proven end of the game; None if not proven, or only by bitbase."""
        return round((_WIN - abs(self)) * 100) if abs(self) > _BITBASE_WIN else None

    def __repr__(self) -> str:
        return f"Score({float(self):.2f}, {self.side!r})"

    def __reduce__(self) -> tuple[type[Score], tuple[float, str]]:
        return Score, (float(self), self.side)


@dataclasses.dataclass(frozen=True)
class Limit:
    """Limits of a search. The first limit reached ends it; without any, it runs until it is stopped.

    - ``time``: seconds for the move
    - ``nodes``: positions to search
    - ``depth``: plies
    - ``white_clock``, ``black_clock``: seconds that each side has left; the engine divides its own
    - ``white_inc``, ``black_inc``: seconds added for each move
    - ``remaining_moves``: moves to the next time control; None for the whole game
    """

    time: Optional[float] = None
    nodes: Optional[int] = None
    depth: Optional[int] = None
    white_clock: Optional[float] = None
    black_clock: Optional[float] = None
    white_inc: Optional[float] = None
    black_inc: Optional[float] = None
    remaining_moves: Optional[int] = None

    def for_side(self, side: str) -> dict[str, Any]:
        """The limits of the side to move: ``time``, ``nodes``, ``depth``, ``clock``, ``increment``
        and ``moves``."""
        is_white = side == "white"
        return {
            "time": self.time,
            "nodes": self.nodes,
            "depth": self.depth,
            "clock": self.white_clock if is_white else self.black_clock,
            "increment": self.white_inc if is_white else self.black_inc,
            "moves": self.remaining_moves,
        }


@dataclasses.dataclass(frozen=True)
class Info:
    """The progress of a search.

    - ``rank``: rank of the line among the requested ones, 1 for the best
    - ``depth``: depth of the iteration in plies
    - ``mean_depth``: mean depth of the leaves of the search tree
    - ``score``: a :class:`Score` for the side to move
    - ``nodes``: number of positions searched
    - ``time``: in seconds
    - ``line``: the principal variation
    """

    rank: int
    depth: int
    mean_depth: float
    score: Score
    nodes: int
    time: float
    line: list[Move]

    @property
    def plies_to_end(self) -> Optional[int]:
        """Plies to the proven end of the game, or None."""
        return self.score.plies_to_end

    @property
    def move(self) -> Optional[Move]:
        """The first move of the line; None if it is empty."""
        return self.line[0] if self.line else None

    def __repr__(self) -> str:
        return f"<Info: depth {self.depth}, {self.score:+.2f}, {' '.join(map(str, self.line))}>"


@dataclasses.dataclass(frozen=True)
class SearchResult:
    """The result of a search.

    - ``move``: the best move; None if the game is over
    - ``reply``: the expected reply, or None
    - ``info``: the last :class:`Info` about the best line
    """

    move: Optional[Move]
    reply: Optional[Move]
    info: Info

    def __repr__(self) -> str:
        return f"<SearchResult: {self.move or 'no move'}, {self.info!r}>"


@dataclasses.dataclass(frozen=True)
class Option:
    """An option of an engine.

    - ``kind``: ``"int"``, ``"bool"``, ``"str"``, ``"enum"``, ``"float"`` or ``"path"``
    - ``default``: the value of a new engine
    - ``min``, ``max``: the range of a number
    - ``values``: the values of an enum
    """

    name: str
    kind: str
    default: _Value
    min: Optional[float] = None
    max: Optional[float] = None
    values: tuple[str, ...] = ()


_Self = TypeVar("_Self", bound="BaseEngine")
_OnInfo = Optional[Callable[[Info], object]]


class BaseEngine(ABC):
    """The interface of all engines. A ``with`` statement closes the engine at its end.

    Each method that waits has a counterpart for ``asyncio`` whose name ends in ``_async``.
    """

    #: The name of the engine.
    name: str
    #: The name of the variant.
    variant: str

    @property
    @abstractmethod
    def options(self) -> dict[str, Option]:
        """The options by name."""

    @property
    @abstractmethod
    def settings(self) -> dict[str, _Value]:
        """The current values of the options."""

    @abstractmethod
    def configure(self, **settings: _Value) -> None:
        """Changes options. Raises ValueError if there is no such option or value."""

    @abstractmethod
    def new_game(self) -> None:
        """Forgets what earlier searches found."""

    @abstractmethod
    def close(self) -> None:
        """Shuts down the engine. Closing it again does nothing."""

    @abstractmethod
    def _new_control(self) -> _Control: ...

    @abstractmethod
    def _search(
        self, board: Board, limit: Limit, lines: int, analyze: bool, control: Any, on_info: _OnInfo
    ) -> SearchResult: ...

    def play(self, board: Board, limit: Limit, *, on_info: _OnInfo = None) -> SearchResult:
        """Chooses a move, using the book and the strength set in the options.

        ``on_info`` is called with each :class:`Info`. Raises ValueError without a limit.
        """
        return self._search(board, _given(limit), 1, False, self._new_control(), on_info)

    def analyse(self, board: Board, limit: Limit, *, lines: int = 1) -> list[Info]:
        """The best lines of a position, best first, at full strength.

        >>> from manoury import Board, Engine, Limit
        >>> found = Engine().analyse(Board(), Limit(depth=5), lines=2)
        >>> [info.rank for info in found]
        [1, 2]
        """
        found: dict[int, Info] = {}

        def note(info: Info) -> None:
            found[info.rank] = info

        self._search(board, _given(limit), lines, True, self._new_control(), note)
        return [found[rank] for rank in sorted(found)]

    def analysis(self, board: Board, limit: Limit = Limit(), *, lines: int = 1) -> Analysis:
        """Starts an analysis in the background: a stream of :class:`Info`.

        Without a limit it runs until it is stopped. The board may be changed in the meantime.

        >>> from manoury import Board, Engine
        >>> with Engine().analysis(Board()) as analysis:
        ...     for info in analysis:
        ...         if info.depth >= 6:
        ...             break
        >>> info.depth
        6
        """
        return Analysis(self, board.copy(), limit, lines)

    async def play_async(self, board: Board, limit: Limit, *, on_info: _OnInfo = None) -> SearchResult:
        """Like :meth:`play`, but other tasks can run meanwhile. A cancelled task stops the search."""
        control = self._new_control()
        limit, board = _given(limit), board.copy()
        return await _in_thread(control, lambda: self._search(board, limit, 1, False, control, on_info))

    async def analyse_async(self, board: Board, limit: Limit, *, lines: int = 1) -> list[Info]:
        """Like :meth:`analyse`, but other tasks can run meanwhile. A cancelled task stops the search."""
        async with self.analysis(board, _given(limit), lines=lines) as analysis:
            async for _ in analysis:
                pass
            return analysis.lines

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.name}, {self.variant}>"


def _given(limit: Limit) -> Limit:
    if limit == Limit():
        raise ValueError("no limit: give depth, nodes, time or clocks")
    return limit


class _Control(ABC):
    """Stops a search from another thread."""

    @abstractmethod
    def stop(self) -> None: ...


_Control.register(Control)


async def _in_thread(control: _Control, work: Callable[[], SearchResult]) -> SearchResult:
    task = asyncio.get_running_loop().run_in_executor(None, work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        control.stop()
        await asyncio.wait([task])
        raise


class Analysis:
    """An analysis that runs in the background. Iterate over it, with ``for`` or ``async for``.

    Leaving ``with`` or ``async with`` stops it and waits for it to end; so does :meth:`stop` followed
    by :meth:`wait`. An error of the search is raised by the iteration or by :meth:`wait`.
    """

    def __init__(self, engine: BaseEngine, board: Board, limit: Limit, lines: int) -> None:
        self._control = engine._new_control()
        self._queue: queue.SimpleQueue[Optional[Info]] = queue.SimpleQueue()
        self._outcome: list[Union[SearchResult, BaseException]] = []
        self._found: dict[int, Info] = {}
        arguments = (engine, board, limit, lines, self._control, self._queue, self._outcome)
        self._thread = threading.Thread(target=_analyse, args=arguments, daemon=True, name="analysis")
        self._is_over = False
        self._thread.start()

    @property
    def lines(self) -> list[Info]:
        """The last :class:`Info` of each line seen so far, best first."""
        return [self._found[rank] for rank in sorted(self._found)]

    @property
    def info(self) -> Optional[Info]:
        """The last :class:`Info` of the best line seen so far; None before the first."""
        return self._found.get(1)

    def stop(self) -> None:
        """Tells the search to stop. The reports up to then can still be read."""
        self._control.stop()

    def wait(self) -> SearchResult:
        """Waits for the end of the search, reads what is left, and returns the result."""
        for _ in self:
            pass
        self._thread.join()
        outcome = self._outcome[0]
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    async def wait_async(self) -> SearchResult:
        """Like :meth:`wait`, but other tasks can run meanwhile."""
        async for _ in self:
            pass
        return self.wait()

    def _take(self, info: Optional[Info]) -> Optional[Info]:
        if info is not None:
            self._found[info.rank] = info
            return info
        self._is_over = True
        outcome = self._outcome[0]
        if isinstance(outcome, BaseException):
            raise outcome
        return None

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        info = None if self._is_over else self._take(_next(self._queue, self._thread))
        if info is None:
            raise StopIteration
        return info

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        info = None
        if not self._is_over:
            loop = asyncio.get_running_loop()
            info = self._take(await loop.run_in_executor(None, _next, self._queue, self._thread))
        if info is None:
            raise StopAsyncIteration
        return info

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()
        self._thread.join()

    async def __aenter__(self) -> Analysis:
        return self

    async def __aexit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def __del__(self) -> None:
        self._control.stop()

    def __repr__(self) -> str:
        state = "running" if self._thread.is_alive() else "over"
        return f"<Analysis: {state}, {self.info!r}>"


def _next(reports: queue.SimpleQueue[Optional[Info]], thread: threading.Thread) -> Optional[Info]:
    """The next report; None after the last one, even if a cancelled task took it."""
    while True:
        try:
            return reports.get(timeout=0.2)
        except queue.Empty:
            if not thread.is_alive():
                return None


def _analyse(
    engine: BaseEngine,
    board: Board,
    limit: Limit,
    lines: int,
    control: Any,
    reports: queue.SimpleQueue[Optional[Info]],
    outcome: list[Union[SearchResult, BaseException]],
) -> None:
    try:
        outcome.append(engine._search(board, limit, lines, True, control, reports.put))
    except BaseException as error:  # Raised again in the thread that reads.
        outcome.append(error)
    reports.put(None)


_OPTIONS = {
    option.name: option
    for option in (
        Option("threads", "int", 1, 1, 256),
        Option("tt_size", "int", 20, 16, 30),
        Option("book", "bool", False),
        Option("bitbases", "path", None),
        Option("weights", "path", None),
        Option("level", "int", 14, 1, 14),
        Option("elo", "int", None, 500, 2860),
        Option("seed", "int", None, 0, 2**64 - 1),
    )
}


class Engine(BaseEngine):
    """The engine of this package, for one variant.

    - ``threads``: number of search threads; with one, results are reproducible
    - ``tt_size``: base-2 logarithm of the number of entries in the transposition table, 16 bytes each
    - ``book``: whether to play from the built-in opening book
    - ``bitbases``: a folder of bitbases, in addition to the built-in ones
    - ``weights``: a weights file to use instead of the built-in evaluation
    - ``level``: the strength, from 1 for beginners to 14 for full strength
    - ``elo``: the strength in Elo instead, on this program's own scale, from 500 for level 1 to 2860 for full
      strength
    - ``seed``: random seed of book moves and of choices below full strength; None for a different one each time

    Raises ValueError if an argument is out of range, OSError if a file cannot be used.

    >>> from manoury import Board, Engine, Limit
    >>> board = Board("W:W27,28,29,33,37,40,43,47,49:B4,5,8,14,16,17,18,26")
    >>> result = Engine().play(board, Limit(depth=9))
    >>> print(result.move)
    27-21
    """

    def __init__(
        self,
        *,
        variant: str = "international",
        threads: int = 1,
        tt_size: int = 20,
        book: bool = False,
        bitbases: Optional[_Path] = None,
        weights: Optional[_Path] = None,
        level: int = 14,
        elo: Optional[int] = None,
        seed: Optional[int] = None,
    ) -> None:
        self.name = "Manoury"
        self._settings: dict[str, Any] = {
            "threads": threads,
            "tt_size": tt_size,
            "book": book,
            "bitbases": bitbases,
            "weights": weights,
            "level": level,
            "elo": elo,
            "seed": seed,
        }
        self._native: Optional[NativeEngine] = NativeEngine(variant, self._settings)
        self.variant = Board(variant=variant).variant
        self._running: Optional[Control] = None

    @staticmethod
    def open(command: Union[str, Sequence[_Path]], **arguments: Any) -> HubEngine:
        """Starts another program that speaks Hub 2, such as ``["./scan", "hub"]``.

        The arguments are those of :class:`HubEngine`.
        """
        from .hub import HubEngine

        return HubEngine(command, **arguments)

    @property
    def options(self) -> dict[str, Option]:
        return dict(_OPTIONS)

    @property
    def settings(self) -> dict[str, _Value]:
        return dict(self._settings)

    def configure(self, **settings: _Value) -> None:
        for name in settings:
            _known(name, _OPTIONS)
        changed = {**self._settings, **settings}
        self._open().set_options(changed)
        self._settings = changed

    def _open(self) -> NativeEngine:
        if self._native is None:
            raise EngineError("the engine is closed")
        return self._native

    def _new_control(self) -> Any:
        return Control()

    def _search(
        self, board: Board, limit: Limit, lines: int, analyze: bool, control: Any, on_info: _OnInfo
    ) -> SearchResult:
        side = board.turn
        report = None if on_info is None else lambda found: on_info(_info(side, found))
        self._running = control
        move, reply, found = self._open().search(
            board, limit.for_side(side), lines, analyze, control, report
        )
        return SearchResult(move, reply, _info(side, found))

    def search(
        self,
        board: Board,
        *,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        time: Optional[float] = None,
        lines: int = 1,
        on_info: _OnInfo = None,
    ) -> SearchResult:
        """Searches a board until a limit is reached: :meth:`play` with limits as arguments.

        - ``depth``: plies
        - ``nodes``: positions to search
        - ``time``: seconds
        - ``lines``: number of best lines to search, reported to ``on_info`` with their ranks
        - ``on_info``: called with each :class:`Info`

        An exception in ``on_info``, or Ctrl-C, stops the search and is raised. Raises ValueError
        without a limit.
        """
        limit = _given(Limit(depth=depth, nodes=nodes, time=time))
        return self._search(board, limit, lines, False, self._new_control(), on_info)

    def stop(self) -> None:
        """Stops a search that is running in another thread. That search then returns the best move
        found so far."""
        if self._running is not None:
            self._running.stop()

    def new_game(self) -> None:
        self._open().new_game()

    def close(self) -> None:
        """Stops the search and frees the memory."""
        self.stop()
        self._native = None

    def __repr__(self) -> str:
        changed = {"variant": self.variant, **self._settings}
        defaults = {"variant": "international", **{name: option.default for name, option in _OPTIONS.items()}}
        given = (f"{name}={value!r}" for name, value in changed.items() if value != defaults[name])
        return f"Engine({', '.join(given)})"


def _known(name: str, options: Mapping[str, Option]) -> Option:
    if name not in options:
        raise ValueError(f"no option {name!r}; the options are {', '.join(options)}")
    return options[name]


def _info(side: str, found: tuple[int, int, float, int, int, float, list[Move]]) -> Info:
    rank, depth, mean_depth, hundredths, nodes, seconds, line = found
    return Info(rank, depth, mean_depth, Score(hundredths / 100, side), nodes, seconds, line)
