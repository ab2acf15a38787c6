"""Engines that are other programs and speak Hub 2."""

from __future__ import annotations

import os
import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, Union

from ._manoury import Board, Move
from .engine import (
    _WIN,
    BaseEngine,
    EngineError,
    Info,
    Limit,
    Option,
    Score,
    SearchResult,
    _Control,
    _known,
    _OnInfo,
    _Path,
    _Value,
)

__all__ = ["HubEngine"]

#: The names of variants in Hub.
_HUB_NAMES = {"international": "normal", "breakthrough": "bt"}


class _HubControl(_Control):
    """Stops a search in another program."""

    def __init__(self, engine: HubEngine) -> None:
        self._engine = engine
        self.is_stopped = False
        self._is_running = False
        self._lock = threading.Lock()

    def stop(self) -> None:
        with self._lock:
            self.is_stopped = True
            if self._is_running:
                self._is_running = False
                self._engine._send("stop")

    def start(self, command: str) -> None:
        with self._lock:
            self._engine._send(command)
            if self.is_stopped:
                self._engine._send("stop")
            else:
                self._is_running = True

    def finish(self) -> None:
        with self._lock:
            self._is_running = False


class HubEngine(BaseEngine):
    """Another engine, as a process that speaks Hub 2.

    - ``command``: the program and its arguments, as a list or as a shell command line
    - ``variant``: set with the engine's ``variant`` parameter, unless it is international
    - ``settings``: values of the engine's own parameters, with ``-`` in the names: ``{"tt-size": 20}``
    - ``cwd``: the working directory
    - ``timeout``: seconds for the engine to become ready, and to answer after its time is up

    Raises OSError if the program cannot be started, EngineError if it is not a Hub engine.

    >>> import manoury
    >>> with manoury.HubEngine([manoury.program(), "hub"], settings={"book": False}) as engine:
    ...     print(engine.name, engine.options["threads"].max)
    Manoury 256
    """

    def __init__(
        self,
        command: Union[str, Sequence[_Path]],
        *,
        variant: str = "international",
        settings: Optional[Mapping[str, _Value]] = None,
        cwd: Optional[_Path] = None,
        timeout: float = 10.0,
    ) -> None:
        self.variant = Board(variant=variant).variant
        self.name = "?"
        self.timeout = timeout
        self._options: dict[str, Option] = {}
        self._settings: dict[str, _Value] = {}
        self._searching = threading.Lock()
        self._lines: queue.SimpleQueue[Optional[str]] = queue.SimpleQueue()
        words = shlex.split(command) if isinstance(command, str) else [os.fspath(word) for word in command]
        self._process = subprocess.Popen(
            words,
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
            bufsize=1,
        )
        threading.Thread(target=_read, args=(self._process, self._lines), daemon=True).start()
        try:
            self._start(dict(settings or {}))
        except BaseException:
            self._process.kill()
            self.close()
            raise

    def _start(self, settings: dict[str, _Value]) -> None:
        self._send("hub")
        for word, fields in self._answers("wait"):
            if word == "id":
                self.name = fields.get("name", "?")
            elif word == "param":
                option = _declared(fields)
                self._options[option.name] = option
                self._settings[option.name] = option.default
        if self.variant != "international":
            settings.setdefault("variant", _HUB_NAMES.get(self.variant, self.variant))
        self._set(settings)
        self._initialise()

    def _initialise(self) -> None:
        self._send("init")
        for _ in self._answers("ready"):
            pass

    def _set(self, settings: Mapping[str, _Value]) -> None:
        for name, value in settings.items():
            text = _checked(_known(name, self._options), value)
            self._send(f"set-param name={name} value={_quoted(text)}")
            self._settings[name] = value

    def _send(self, line: str) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(line + "\n")
            stdin.flush()
        except (OSError, ValueError) as error:
            raise EngineError(f"{self.name}: the program has ended") from error

    def _answer(self, deadline: Optional[float]) -> tuple[str, dict[str, str]]:
        """The next line of the engine."""
        try:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            line = self._lines.get(timeout=left)
        except queue.Empty:
            raise EngineError(f"{self.name}: no answer in time") from None
        if line is None:
            self._lines.put(None)
            raise EngineError(f"{self.name}: the program has ended, exit code {self._process.poll()}")
        return _parsed(line)

    def _answers(self, last: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Yields the engine's lines until one begins with `last`, which it does not yield."""
        deadline = time.monotonic() + self.timeout
        while True:
            word, fields = self._answer(deadline)
            if word == last:
                return
            yield word, fields

    @property
    def options(self) -> dict[str, Option]:
        return dict(self._options)

    @property
    def settings(self) -> dict[str, _Value]:
        return dict(self._settings)

    def configure(self, **settings: _Value) -> None:
        """Changes options; ``_`` in a name stands for ``-``, so ``tt_size=20`` sets ``tt-size``.

        Raises ValueError if the engine has not declared such an option or value.
        """
        names = {name if name in self._options else name.replace("_", "-"): value for name, value in settings.items()}
        with self._exclusively():
            self._set(names)
            self._initialise()

    def new_game(self) -> None:
        with self._exclusively():
            self._send("new-game")

    def _exclusively(self) -> _Held:
        return _Held(self._searching)

    def _new_control(self) -> Any:
        return _HubControl(self)

    def _search(
        self, board: Board, limit: Limit, lines: int, analyze: bool, control: Any, on_info: _OnInfo
    ) -> SearchResult:
        if board.variant != self.variant:
            raise ValueError(f"expected a board of {self.variant}, not {board.variant}")
        board = board.copy()
        if not board.legal_moves:
            info = Info(1, 0, 0.0, Score(-_WIN, board.turn), 0, 0.0, [])
            if on_info is not None:
                on_info(info)
            return SearchResult(None, None, info)
        with self._exclusively():
            if self._settings.get("multipv", 1) != lines:
                if "multipv" not in self._options:
                    raise ValueError(f"lines={lines}: {self.name} has no option multipv")
                self._set({"multipv": lines})
            self._send(_position(board))
            for level in _levels(limit.for_side(board.turn)):
                self._send(level)
            control.start("go analyze" if analyze or limit == Limit() else "go think")
            try:
                return self._wait(board, limit, control, on_info)
            except BaseException:
                self._abort(control)
                raise
            finally:
                control.finish()

    def _wait(self, board: Board, limit: Limit, control: _HubControl, on_info: _OnInfo) -> SearchResult:
        info = Info(1, 0, 0.0, Score(0.0, board.turn), 0, 0.0, [])
        times = [limit.time, limit.for_side(board.turn)["clock"]]
        given = [seconds for seconds in times if seconds is not None]
        deadline = time.monotonic() + min(given) + self.timeout if given else None
        while True:
            word, fields = self._answer(deadline)
            if word == "info":
                found = _parsed_info(board, fields, info)
                if found.rank == 1:
                    info = found
                if on_info is not None:
                    on_info(found)
            elif word == "done":
                return self._result(board, fields, info)

    def _result(self, board: Board, fields: dict[str, str], info: Info) -> SearchResult:
        try:
            move = board.find_hub_move(fields.get("move", ""))
        except ValueError as error:
            raise EngineError(f"{self.name}: {error}") from error
        return SearchResult(move, next(iter(_line(board, [move.hub, fields.get("ponder", "")])[1:]), None), info)

    def _abort(self, control: _HubControl) -> None:
        """After an exception: stops the search and reads its answers."""
        try:
            control.stop()
            for _ in self._answers("done"):
                pass
        except EngineError:
            pass

    def close(self) -> None:
        """Asks the program to quit, and kills it if it does not exit within a second."""
        try:
            self._send("quit")
            self._process.wait(1.0)
        except (EngineError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        if self._process.stdin is not None:
            try:
                self._process.stdin.close()
            except OSError:
                pass

    def __del__(self) -> None:
        process = getattr(self, "_process", None)
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()


class _Held:
    """Holds a lock, or raises RuntimeError if it is held."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("the engine is already searching")

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _read(process: subprocess.Popen[str], lines: queue.SimpleQueue[Optional[str]]) -> None:
    assert process.stdout is not None
    with process.stdout as output:
        for line in output:
            lines.put(line)
    process.wait()
    lines.put(None)


def _parsed(line: str) -> tuple[str, dict[str, str]]:
    """The command and the fields of a Hub line."""
    words: list[str] = []
    word, is_quoted, has_word = "", False, False
    for sign in line.strip():
        if sign == '"':
            is_quoted, has_word = not is_quoted, True
        elif sign.isspace() and not is_quoted:
            if has_word:
                words.append(word)
            word, has_word = "", False
        else:
            word, has_word = word + sign, True
    if has_word:
        words.append(word)
    fields = (field.partition("=") for field in words[1:])
    return (words[0] if words else ""), {name: value for name, _, value in fields}


def _quoted(text: str) -> str:
    return text if text and not any(sign.isspace() or sign in '="' for sign in text) else f'"{text}"'


def _declared(fields: Mapping[str, str]) -> Option:
    kind = {"int": "int", "bool": "bool", "real": "float", "enum": "enum"}.get(fields.get("type", ""), "str")
    text = fields.get("value", "")
    default: _Value = text
    try:
        if kind == "int":
            default = int(text)
        elif kind == "bool":
            default = text == "true"
        numbers = [float(fields[name]) if name in fields else None for name in ("min", "max")]
    except ValueError:
        numbers = [None, None]
    low, high = (int(number) if number is not None and kind == "int" else number for number in numbers)
    return Option(fields.get("name", "?"), kind, default, low, high, tuple(fields.get("values", "").split()))


def _checked(option: Option, value: _Value) -> str:
    """The text of a value; raises ValueError if the value is not valid for the option."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if "\n" in text or '"' in text:
        raise ValueError(f"{option.name}={value!r} has a quote or a line end")
    if option.kind == "bool" and text not in ("true", "false"):
        raise ValueError(f"{option.name}={value!r} is not a bool")
    if option.kind == "enum" and text not in option.values:
        raise ValueError(f"{option.name}={value!r} is not one of {', '.join(option.values)}")
    if option.kind in ("int", "float"):
        try:
            number = int(text) if option.kind == "int" else float(text)
        except ValueError:
            raise ValueError(f"{option.name}={value!r} is not a number") from None
        if not (option.min is None or option.min <= number) or not (option.max is None or number <= option.max):
            raise ValueError(f"{option.name}={value!r} is out of range: {option.min} to {option.max}")
    return text


def _position(board: Board) -> str:
    position, wolf, moves = board._hub_game()
    line = f"pos pos={position}"
    if wolf:
        line += f" wolf={_quoted(wolf)}"
    return f'{line} moves="{" ".join(moves)}"' if moves else line


def _levels(limits: Mapping[str, Any]) -> Iterator[str]:
    for name, value in limits.items():
        if value is not None and not value >= 0:
            raise ValueError(f"{name}={value} is out of range: 0 or more")
    for name, word in (("depth", "depth"), ("nodes", "nodes"), ("time", "move-time")):
        if limits[name] is not None:
            yield f"level {word}={limits[name]}"
    if limits["clock"] is not None:
        moves = "" if limits["moves"] is None else f"moves={limits['moves']} "
        yield f"level {moves}time={limits['clock']} inc={limits['increment'] or 0}"


def _parsed_info(board: Board, fields: Mapping[str, str], last: Info) -> Info:
    """What an engine reports; missing or unreadable values are those of the last report."""

    def number(name: str, default: float) -> float:
        try:
            return float(fields[name])
        except (KeyError, ValueError):
            return default

    words = fields.get("pv", "").split()
    return Info(
        rank=int(number("multipv", 1)),
        depth=int(number("depth", last.depth)),
        mean_depth=number("mean-depth", last.mean_depth),
        score=Score(number("score", last.score), board.turn),
        nodes=int(number("nodes", last.nodes)),
        time=number("time", last.time),
        line=_line(board, words) if words else last.line,
    )


def _line(board: Board, words: Sequence[str]) -> list[Move]:
    """The moves of a line, up to the first word that is not a legal move."""
    board, line = board.copy(), []
    for word in words:
        try:
            move = board.find_hub_move(word)
        except ValueError:
            break
        line.append(move)
        board.push(move)
    return line
