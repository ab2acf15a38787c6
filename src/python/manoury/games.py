"""Games as trees of moves with comments, marks, side lines, clocks and evaluations; PDN as a stream."""

from __future__ import annotations

import io
import itertools
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, Optional, TextIO, Union

from ._manoury import Board, Move, PdnGame, games_of_chunk, variant_of_text, write_pdn
from .engine import Score

__all__ = ["Game", "Node", "read_games"]

_CLOCK = re.compile(r"\[%clock ([^\]]*)\]")
_TIME = re.compile(r"([WwBb])((?:\d+[:.]){0,2}\d+)$")
_EVAL = re.compile(r"\[%eval ([-+]?\d+(?:\.\d+)?)\]")
_COMMAND = re.compile(r"\s*\[%[^\]]*\]\s*")

_Line = tuple[list[str], list[tuple[Any, ...]]]


class Node:
    """A position of a game: the move that led to it, its annotations, and what follows.

    - ``move``: the move that led here; None at the start of the game
    - ``parent``: the node before the move; None at the start
    - ``variations``: the nodes that follow, the main line first
    - ``marks``: strength marks of the move, such as ``"!"`` or ``"?!"``
    - ``nags``: numeric annotation glyphs, 1 for ``$1``
    - ``comments``: the comments after the move
    - ``starting_comments``: the comments before the move, if it begins a side line
    """

    __slots__ = ("_variations", "comments", "marks", "move", "nags", "parent", "starting_comments")

    def __init__(self, parent: Optional[Node], move: Optional[Move]) -> None:
        self.parent = parent
        self.move = move
        self.marks = ""
        self.nags: list[int] = []
        self.comments: list[str] = []
        self.starting_comments: list[str] = []
        self._variations: list[Node] = []

    @property
    def variations(self) -> list[Node]:
        """The nodes that follow, the main line first."""
        return self._variations

    @property
    def next(self) -> Optional[Node]:
        """The next node of the main line; None at its end."""
        return self.variations[0] if self.variations else None

    @property
    def game(self) -> Game:
        """The game of this node."""
        node = self
        while node.parent is not None:
            node = node.parent
        assert isinstance(node, Game)
        return node

    @property
    def ply(self) -> int:
        """The number of moves from the start of the game."""
        return len(self.moves())

    @property
    def is_mainline(self) -> bool:
        """Whether the node is on the main line of its game."""
        node = self
        while node.parent is not None:
            if node.parent.variations[0] is not node:
                return False
            node = node.parent
        return True

    def moves(self) -> list[Move]:
        """The moves from the start of the game to this node."""
        moves: list[Move] = []
        node = self
        while node.parent is not None:
            assert node.move is not None
            moves.append(node.move)
            node = node.parent
        moves.reverse()
        return moves

    def board(self) -> Board:
        """The board at this node, with the moves that led to it."""
        board = self.game.start.copy()
        for move in self.moves():
            board.push(move)
        return board

    def end(self) -> Node:
        """The last node of the main line from here."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def mainline(self) -> Iterator[Node]:
        """The nodes of the main line after this one."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def mainline_moves(self) -> list[Move]:
        """The moves of the main line after this node."""
        return [node.move for node in self.mainline() if node.move is not None]

    def add_variation(self, move: Union[Move, str], comment: str = "", marks: str = "") -> Node:
        """Adds a move after this node, after any existing ones, and returns its node.

        Raises ValueError if it is not legal.
        """
        node = Node(self, self.board().find_move(str(move)))
        node.marks = marks
        if comment:
            node.comments.append(comment)
        self.variations.append(node)
        return node

    def add_line(self, moves: Iterable[Union[Move, str]]) -> Node:
        """Adds moves, one after the other, and returns the last node."""
        node, board = self, self.board()
        for move in moves:
            found = board.find_move(str(move))
            board.push(found)
            following = Node(node, found)
            node.variations.append(following)
            node = following
        return node

    def remove_variation(self, move: Union[Node, Move, str]) -> None:
        """Removes a move after this node and all that follows it. Raises KeyError if it is not there."""
        self.variations.remove(self[move])

    def promote(self, move: Union[Node, Move, str]) -> None:
        """Makes a move after this node the main line. Raises KeyError if it is not there."""
        node = self[move]
        self.variations.remove(node)
        self.variations.insert(0, node)

    def __getitem__(self, move: Union[Node, Move, str]) -> Node:
        """The node after a move. Raises KeyError if it is not there."""
        for node in self.variations:
            if node is move or (not isinstance(move, Node) and node.move == move):
                return node
        raise KeyError(str(move))

    def __contains__(self, move: object) -> bool:
        return any(node is move or node.move == move for node in self.variations)

    @property
    def comment(self) -> str:
        """The comments as one string, without commands such as ``[%eval 0.12]``; may be set."""
        texts = (_COMMAND.sub(" ", comment).strip() for comment in self.comments)
        return " ".join(text for text in texts if text)

    @comment.setter
    def comment(self, text: str) -> None:
        commands = [found.strip() for comment in self.comments for found in _COMMAND.findall(comment)]
        self.comments = [" ".join([text, *commands]).strip()] if text or commands else []

    def clock(self, side: str) -> Optional[float]:
        """The clock time of ``"white"`` or ``"black"`` in the comments, in seconds; None if not given."""
        found = self._command(_CLOCK)
        for word in found.group(1).split() if found else ():
            match = _TIME.match(word)
            if match and match.group(1).lower() == side[:1]:
                seconds = 0
                for number in re.split("[:.]", match.group(2)):
                    seconds = 60 * seconds + int(number)
                return float(seconds)
        return None

    def set_clock(self, *, white: Optional[float] = None, black: Optional[float] = None) -> None:
        """Writes clock times in seconds into the comments; None for both removes them."""
        times = []
        for letter, seconds in (("w", white), ("b", black)):
            if seconds is not None:
                if not 0 <= seconds < 1e9:
                    raise ValueError(f"{letter}={seconds} is not a time in seconds: 0 or more")
                whole = int(seconds)
                times.append(f"{letter}{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}")
        self._set_command(_CLOCK, f"[%clock {' '.join(times)}]" if times else "")

    @property
    def eval(self) -> Optional[Score]:
        """The evaluation in the comments, for White; None if there is none. May be set."""
        found = self._command(_EVAL)
        return Score(float(found.group(1)), "white") if found else None

    @eval.setter
    def eval(self, score: Optional[Score]) -> None:
        self._set_command(_EVAL, "" if score is None else f"[%eval {score.white:.2f}]")

    def _command(self, pattern: re.Pattern[str]) -> Optional[re.Match[str]]:
        return next(filter(None, map(pattern.search, self.comments)), None)

    def _set_command(self, pattern: re.Pattern[str], text: str) -> None:
        kept = [pattern.sub("", comment).strip() for comment in self.comments]
        self.comments = [comment for comment in kept if comment]
        if text:
            self.comments.append(text)

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickling node by node would recurse too deeply for a long game.
        path: list[int] = []
        node = self
        while node.parent is not None:
            path.append(next(place for place, other in enumerate(node.parent.variations) if other is node))
            node = node.parent
        return _node_at, (node, path[::-1])

    def __repr__(self) -> str:
        return f"<Node: ply {self.ply}, {self.move}{self.marks}>"


class Game(Node):
    """A game: the root of a tree of moves, with tags and a result. ``str(game)`` is its PDN.

    - ``tags``: the tags, except those for the position and the game type
    - ``start``: the board at the start
    - ``result``: as in PDN, such as ``"2-0"``; ``"*"`` if unknown
    - ``error``: why the game could not be read to the end; None if it could

    >>> from manoury import Game
    >>> game = Game.from_pdn('[White "Ann"] 1. 32-28 {[%eval 0.03] usual} 19-23 (1... 17-22) 2. 28x19 *')
    >>> game.tags["White"], [str(move) for move in game.mainline_moves()]
    ('Ann', ['32-28', '19-23', '28x19'])
    >>> first = game["32-28"]
    >>> first.comment, first.eval, [str(node.move) for node in first.variations]
    ('usual', Score(0.03, 'white'), ['19-23', '17-22'])
    """

    __slots__ = ("_comments", "_unread", "error", "result", "start", "tags")

    def __init__(self, start: Optional[Board] = None, tags: Optional[dict[str, str]] = None) -> None:
        #: The record whose moves and comments are not in the tree yet; they are read when needed.
        self._unread: Optional[PdnGame] = None
        super().__init__(None, None)
        self.start = Board() if start is None else start.copy()
        while self.start.ply:
            self.start = Board(self.start.fen, variant=self.start.variant)
        self.tags = dict(tags or {})
        self.result = "*"
        self.error: Optional[str] = None

    @staticmethod
    def from_pdn(text: str, *, variant: str = "international") -> Game:
        """The first game in a text. Raises ValueError if there is none, or if it has an error."""
        for game in read_games(io.StringIO(text), variant=variant):
            if game.error is not None:
                raise ValueError(game.error)
            return game
        raise ValueError("no game")

    @staticmethod
    def from_board(board: Board, tags: Optional[dict[str, str]] = None) -> Game:
        """The game that led to a board, with its result if it is over."""
        game = Game(Board(board.start_fen, variant=board.variant), tags)
        game.add_line(board.move_stack)
        game.result = board.result() or "*"
        return game

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self.start.variant

    @property
    def variations(self) -> list[Node]:
        """The nodes after the start, the main line first."""
        self._read()
        return self._variations

    @property
    def comments(self) -> list[str]:
        """The comments before the first move."""
        self._read()
        return self._comments

    @comments.setter
    def comments(self, comments: list[str]) -> None:
        self._read()
        self._comments = comments

    def _read(self) -> None:
        """Reads the record into the tree, unless that has been done."""
        if self._unread is not None:
            record, self._unread = self._unread, None
            line: _Line = record._line()
            self._comments = line[0]
            _grow(self, line[1])

    def __str__(self) -> str:
        if self._unread is None:
            line = (self.comments, _moves(self.variations))
        else:
            line = self._unread._line()
        tags = {**self.tags, "Result": self.result} if self.tags else {}
        return write_pdn(list(tags.items()), self.start, line, self.result)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (str(self), self.variant, self.error)

    def __repr__(self) -> str:
        names = " - ".join(self.tags.get(tag, "?") for tag in ("White", "Black"))
        return f"<Game: {names} {self.result}>"


def _restored(text: str, variant: str, error: Optional[str]) -> Game:
    game = Game.from_pdn(text, variant=variant)
    game.error = error
    return game


def _node_at(node: Node, path: list[int]) -> Node:
    for place in path:
        node = node.variations[place]
    return node


def _grow(node: Node, moves: list[tuple[Any, ...]]) -> None:
    """Adds a line of moves after a node."""
    for move, marks, nags, comments, sides in moves:
        following = Node(node, move)
        following.marks, following.nags, following.comments = marks, nags, comments
        node._variations.append(following)
        for starting_comments, side in sides:
            first = len(node._variations)
            _grow(node, side)
            if len(node._variations) > first:
                node._variations[first].starting_comments = starting_comments
        node = following


def _moves(variations: list[Node]) -> list[tuple[Any, ...]]:
    """The line that begins with the first of some nodes, with the others as side lines."""
    line: list[tuple[Any, ...]] = []
    while variations:
        main, *others = variations
        sides = []
        for other in others:
            first: tuple[Any, ...] = (other.move, other.marks, other.nags, other.comments, [])
            sides.append((other.starting_comments, [first, *_moves(other.variations)]))
        line.append((main.move, main.marks, main.nags, main.comments, sides))
        variations = main.variations
    return line


def read_games(
    source: Union[str, os.PathLike[str], TextIO, Iterable[str]],
    *,
    variant: str = "international",
    encoding: str = "utf-8",
) -> Iterator[Game]:
    """The games in a PDN file, one after the other: the file is read as games are requested.

    - ``source``: a path, an open file, or lines
    - ``variant``: the variant of games whose tags don't specify one, unless most of the first hundred
      games can only be read as a different one
    - ``encoding``: the encoding of the file; bytes that do not fit are read as Windows-1252

    A game with an error has the moves before the error, and the reason in :attr:`Game.error`.

    >>> import io
    >>> from manoury import read_games
    >>> file = io.StringIO('[White "Ann"]\\n1. 32-28 *\\n\\n[White "Bob"]\\n1. 31-26 19-24 2. 50-1 *')
    >>> for game in read_games(file):
    ...     print(game.tags["White"], len(game.mainline_moves()), game.error)
    Ann 1 None
    Bob 2 line 5, column 19: 50-1: not legal here (read as variant international)
    """
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            yield from _read(_decoded(file, encoding), variant)
    else:
        yield from _read(source, variant)


_SAMPLE = 100
"""The number of chunks that are read in advance, to determine the variant of the games."""


def _decoded(lines: Iterable[bytes], encoding: str) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number == 0 and line.startswith(b"\xef\xbb\xbf"):
            line = line[3:]
        try:
            yield line.decode(encoding)
        except UnicodeDecodeError:
            yield line.decode("cp1252", "replace")


def _read(lines: Iterable[str], variant: str) -> Iterator[Game]:
    chunks = _chunks(lines)
    sample = list(itertools.islice(chunks, _SAMPLE))
    variant = variant_of_text("".join(text for _, text in sample), variant)
    for before, text in itertools.chain(sample, chunks):
        for record, error in games_of_chunk(text, variant):
            yield _game(record, error, before)


def _game(record: Optional[PdnGame], error: Optional[str], before: int) -> Game:
    if record is None:
        game = Game()
    else:
        game = Game(Board(record.start, variant=record.variant), record.tags)
        game.result, game._unread = record.result, record
    if error is not None:
        game.error = re.sub(r"^line (\d+)", lambda found: f"line {int(found.group(1)) + before}", error)
    return game


_COMMENT = re.compile(r"\{[^}]*\}|;.*")


def _chunks(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Consecutive lines that contain whole games, usually one, with the number of lines before."""
    chunk: list[str] = []
    before = number = 0
    has_moves = is_in_comment = False
    for line in lines:
        is_tag = not is_in_comment and line.startswith("[")
        if is_tag and has_moves:
            yield before, "".join(chunk)
            chunk, before, has_moves = [], number, False
        if is_tag:
            has_moves = not line.rstrip().endswith("]")  # Moves on the line of a tag.
        elif not line.startswith("%"):
            text, is_in_comment = _outside_comments(line, is_in_comment)
            has_moves = has_moves or text.strip() != ""
        chunk.append(line)
        number += 1
    if chunk:
        yield before, "".join(chunk)


def _outside_comments(line: str, is_in_comment: bool) -> tuple[str, bool]:
    """The text of a line that is not in a comment, and whether a comment is open after it."""
    if is_in_comment:
        _, end, line = line.partition("}")
        if not end:
            return "", True
    text, opened, _ = _COMMENT.sub("", line).partition("{")
    return text, bool(opened)
