"""The module ``manoury``: docstrings, boards, moves, endings, the program. Runs where the wheel is installed."""

import copy
import doctest
import inspect
import pathlib
import pickle
import tempfile

import manoury
from checks import raises, run
from manoury import Bitbases, Board, LegalMoves, Move, read_pdn
from manoury._manoury import run as run_program


def check_docstrings() -> None:
    runner = doctest.DocTestRunner()
    names = ["manoury"] + [f"manoury.{name}" for name in manoury.__all__]
    found = 0
    for name, thing in zip(names, [manoury, *(getattr(manoury, name) for name in manoury.__all__)]):
        members = inspect.getmembers(thing) if inspect.isclass(thing) else []
        for part, value in [(name, thing)] + [(f"{name}.{key}", member) for key, member in members]:
            docstring = inspect.getdoc(value)
            if docstring and ">>>" in docstring:
                test = doctest.DocTestParser().get_doctest(docstring, {}, part, None, None)
                runner.run(test)
                found += 1
    assert found >= 16, found
    assert runner.summarize().failed == 0


def check_examples() -> None:
    page = pathlib.Path(__file__).parents[2] / "src" / "python" / "README.md"
    result = doctest.testfile(str(page), module_relative=False, parser=Fenced(), encoding="utf-8")
    assert result.attempted >= 20 and result.failed == 0, result


class Fenced(doctest.DocTestParser):
    """Examples in Markdown, whose last line is followed by a fence."""

    def parse(self, string: str, name: str = "<string>") -> "list[str | doctest.Example]":
        return super().parse(string.replace("```\n", "\n"), name)


def check_boards() -> None:
    board = Board()
    for move in ("32-28", "19-23", "28x19", "14x23"):
        board.push(move)
    assert (board.ply, board.turn, board.moves[2]) == (4, "white", "28x19")
    same, other = board.copy(), copy.deepcopy(board)
    assert board == same == other and hash(board) == hash(same)
    assert board.pop() == "14x23" and board != same and board.key != same.key
    assert Board(same.fen).fen == same.fen and Board(same.fen) != same
    assert Board(same.fen).key == same.key and hash(Board(same.fen)) == hash(same)
    raises(ValueError, "28-32", lambda: board.push("28-32"))
    raises(ValueError, "chess", lambda: Board(variant="chess"))
    raises(ValueError, "60", lambda: Board("W:W60:B1"))
    raises(IndexError, "no move", Board().pop)
    raises(TypeError, "int", lambda: board.push(3))  # type: ignore[arg-type]
    assert Board(variant="russian").legal_moves[0] == "a3-b4"
    assert Board(variant="russian").square_name(22) == "c3"
    repeated = Board("W:WK1:BK50")
    for move in ("1-6", "50-45", "6-1", "45-50") * 3:
        if not repeated.is_game_over():
            repeated.push(move)
    outcome = repeated.outcome()
    assert outcome is not None and (outcome.winner, outcome.result) == (None, "1-1")
    assert repeated.result() == "1-1" and repeated.reason() == outcome.reason
    assert Board().outcome() is None and not Board().is_game_over()
    assert str(Board("W:W28:BK5")).endswith("white to move") and "⛀" in str(Board("W:W28:BK5"))


def check_from_moves() -> None:
    board = Board.from_moves(["32-28", "19-23"])
    again = Board.from_moves(board.move_stack)
    assert again == board and again.move_stack == ["32-28", "19-23"]
    short = Board.from_moves(["28-23"], "W:W28:B5")
    assert short.start_fen == "W:W28:B5" and short.turn == "black"
    assert Board.from_moves(["a3-b4"], variant="russian").variant == "russian"
    raises(ValueError, "split", lambda: Board.from_moves("32-28"))
    raises(ValueError, "1-2", lambda: Board.from_moves(["1-2"]))


def check_pieces() -> None:
    board = Board("B:WK28,31:B5,K6")
    piece = board.piece_at(28)
    assert piece is not None and (piece.side, piece.kind, str(piece)) == ("white", "king", "W")
    assert board.piece_at(1) is None and piece.is_king
    raises(ValueError, "square=51", lambda: board.piece_at(51))
    raises(ValueError, "square=0", lambda: board.piece_at(0))
    assert list(board.pieces()) == [5, 6, 28, 31] and dict(board) == board.pieces()
    assert list(board.pieces(kind="king")) == [6, 28]
    assert list(board.pieces(side="black", kind="man")) == [5]
    assert {piece: 1}[board.pieces()[28]] == 1 and piece != board.pieces()[6]
    raises(ValueError, "red", lambda: board.pieces(side="red"))
    assert Board().squares == 50 and Board(variant="canadian").squares == 72


def check_moves() -> None:
    board = Board("W:W28,38,50:B22,23,33")
    (move,) = board.legal_moves
    assert isinstance(move, Move) and move == "38x27" and str(move) == "38x27" and hash(move) == hash("38x27")
    assert move != "38x28" and move != 38 and {"38x27": 1}[move] == 1  # type: ignore[index]
    assert (move.from_square, move.to_square, move.captured) == (38, 27, (22, 23, 33))
    assert move.path[0] == 38 and move.path[-1] == 27 and len(move.path) >= 3
    assert move.is_capture and not move.is_promotion and move.hub == "38x27x22x23x33"
    assert board.find_hub_move(move.hub) == move and str(move.piece) == "w"
    board.push(move)
    raises(ValueError, "38x27", lambda: board.push(move))
    assert board.pop() == move
    promotion = Board("W:W7:B20").find_move("7-1")
    assert promotion.is_promotion and not promotion.is_capture and promotion.captured == ()
    # A move of another board is looked up; one of another game is not taken for it.
    Board().push(Board("W:W32:B1").find_move("32-28"))
    raises(ValueError, "", lambda: Board(variant="russian").push(Board().find_move("31-26")))


def check_legal_moves() -> None:
    board = Board()
    moves = board.legal_moves
    assert isinstance(moves, LegalMoves) and len(moves) == moves.count() == 9 and bool(moves)
    assert "32-28" in moves and moves[3] in moves and "28-32" not in moves and 5 not in moves
    assert moves == list(moves) == [str(move) for move in moves] and moves[-1] == "35-30"
    assert moves[:2] == ["31-26", "31-27"] and moves == Board().legal_moves
    raises(IndexError, "range", lambda: moves[9])
    board.push(moves[0])
    assert len(moves) == 9 and moves != board.legal_moves
    assert not Board("B:W28:B").legal_moves and Board("B:W28:B").legal_moves == []


def check_pickles() -> None:
    board = Board.from_moves(["32-28", "19-23"])
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(board, protocol)) == board
    russian = Board.from_moves(["c3-d4"], variant="russian")
    assert pickle.loads(pickle.dumps(russian)).variant == "russian"
    frisian = Board("W:WK1,50:BK46,5", variant="frisian")
    frisian.push("1-6")
    assert pickle.loads(pickle.dumps(Board(frisian.fen, variant="frisian"))).fen == frisian.fen
    move = Board("W:W28,38,50:B22,23,33").legal_moves[0]
    assert pickle.loads(pickle.dumps(move)) == move and pickle.loads(pickle.dumps(move)).captured == (22, 23, 33)


def check_pictures() -> None:
    board = Board.from_moves(["32-28"])
    picture = board.svg(bottom="black", arrows=[(17, 22)], dotted=[21], size=300)
    assert picture.startswith('<svg width="300"') and picture != board.svg()
    assert board.svg(marked=[]) != board.svg() == board.svg(marked=[32, 28])
    assert board._repr_svg_().startswith("<svg ")
    raises(ValueError, "green", lambda: board.svg(bottom="green"))
    raises(ValueError, "square=99", lambda: board.svg(arrows=[(1, 99)]))


def check_program() -> None:
    # Twice in one process.
    for arguments, code in (["manoury", "perft", "--depth", "2"], 0), (["manoury", "--nonsense"], 2):
        assert run_program(arguments) == code, arguments


def check_endings_and_records() -> None:
    bitbases = Bitbases()
    assert bitbases.probe(Board()) is None
    moves = bitbases.moves(Board("W:WK28:BK5"))
    assert moves is not None and moves[0][0] == "28-46" and moves[0][1].value == "win"
    with tempfile.TemporaryDirectory() as folder:
        assert Bitbases(folder).pieces >= 2
    raises(OSError, "no such folder", lambda: Bitbases("/nowhere"))
    text = "1. 32-28 19-23 2. 28x19 14x23 *\n\n1. 32-28 19-24 2. 50-1 *\n"
    raises(ValueError, "50-1", lambda: read_pdn(text))
    (game,) = read_pdn(text, skip_broken=True)
    assert str(game).endswith("*\n") and game.board().fen == Board(game.board().fen).fen


if __name__ == "__main__":
    run(
        check_docstrings,
        check_examples,
        check_boards,
        check_from_moves,
        check_pieces,
        check_moves,
        check_legal_moves,
        check_pickles,
        check_pictures,
        check_program,
        check_endings_and_records,
    )
