"""Games as trees, and PDN as a stream. Runs where the wheel is installed."""

import copy
import io
import os
import pickle
import tempfile
import time

from checks import raises, resident, run
from manoury import Board, Game, Score, read_games, read_pdn

TEXT = """[Event "Club"]
[White "Ann"]
[Black "Bob"]
[Result "1-1"]

{ before } 1. 32-28! $14 { [%clock w1:59:50 B2:00:00] [%eval 0.12] usual } 19-23
( { or } 1... 17-22 2. 28x17 12x21 $2 { fine } ( 2... 11x22 ) )
( 1... 18-23? ) 2. 28x19 14x23 1-1
"""


def check_trees() -> None:
    (game,) = read_games(io.StringIO(TEXT))
    assert (game.tags["White"], game.result, game.error, game.variant) == ("Ann", "1-1", None, "international")
    assert [str(move) for move in game.mainline_moves()] == ["32-28", "19-23", "28x19", "14x23"]
    first = game["32-28"]
    assert (first.marks, first.nags, first.comment, game.comments) == ("!", [14], "usual", ["before"])
    assert (first.clock("white"), first.clock("black")) == (7190.0, 7200.0)
    assert first.eval == 0.12 and first.eval.side == "white" and first.clock("white") == 7190
    side = first["17-22"]
    assert side.starting_comments == ["or"] and not side.is_mainline and first.is_mainline
    assert [str(node.move) for node in side["28x17"].variations] == ["12x21", "11x22"]
    last = side.end()
    assert last.nags == [2] and last.comment == "fine" and last.ply == 4
    assert last.board().moves == ["32-28", "17-22", "28x17", "12x21"]
    assert game.end().board() == Board.from_moves(game.mainline_moves())
    assert first.game is game and first.parent is game and game.move is None and "17-22" in first


def check_comments_before_the_moves() -> None:
    def read() -> Game:
        (game,) = read_games(io.StringIO('[White "Ann"]\n{ before } 1. 32-28 *'))
        return game

    game = read()
    assert (game.comments, game.comment, str(game)) == (["before"], "before", str(read()))
    game = read()
    game.comment = "mine"
    assert game.comments == ["mine"] and "{ mine } 1. 32-28" in str(game) and "before" not in str(game)
    assert game.next is not None and game.comments == ["mine"]
    game = read()
    game.comments.append("more")
    game.eval = Score(0.5, "white")
    assert "{ before } { more } { [%eval 0.50] } 1. 32-28" in str(game), str(game)


def check_games_without_moves() -> None:
    text = '[White "a"]\n[Result "2-0"]\n\n{ no moves }\n[White "b"]\n\n{ x\n[y] }\n[Black "c"]\n\n1. 32-28 *\n'
    first, second = read_games(io.StringIO(text))
    assert (first.tags["White"], first.result, first.mainline_moves()) == ("a", "2-0", [])
    assert second.tags == {"White": "b", "Black": "c"} and len(second.mainline_moves()) == 1


def check_round_trips() -> None:
    (game,) = read_games(io.StringIO(TEXT))
    unread = str(game)
    assert game.variations and str(game) == unread
    (again,) = read_games(io.StringIO(unread))
    assert again.variations and str(again) == unread
    for word in "{ before }", "32-28!", "$14", "[%eval 0.12]", "{ or }", "( 2... 11x22 )", "18-23?", '[White "Ann"]':
        assert word in " ".join(unread.split()), (word, unread)


def check_building() -> None:
    game = Game(tags={"White": "Ann"})
    node = game.add_line(["32-28", "19-23"])
    node.comment, node.marks = "bold", "!?"
    node.set_clock(white=3600, black=61.9)
    node.eval = Score(0.3, "black")
    node.comment = "brave"
    assert (node.comment, node.clock("black"), node.eval) == ("brave", 61.0, -0.3)
    assert node.parent is not None
    other = node.parent.add_variation("17-22", comment="safer", marks="!")
    node.parent.promote(other)
    assert [str(move) for move in game.mainline_moves()] == ["32-28", "17-22"]
    read = Game.from_pdn(str(game))
    assert str(read) == str(game) and read["32-28"]["19-23"].clock("white") == 3600
    node.set_clock()
    node.eval = None
    assert node.comments == ["brave"]
    other_parent = other.parent
    assert other_parent is not None
    other_parent.remove_variation("19-23")
    raises(KeyError, "19-23", lambda: other_parent["19-23"])
    raises(ValueError, "50-1", lambda: game.add_variation("50-1"))
    raises(ValueError, "not a result", lambda: str(with_result(game, "won")))
    raises(ValueError, "-1", lambda: node.set_clock(white=-1))


def with_result(game: Game, result: str) -> Game:
    game.result = result
    return game


def check_boards_as_games() -> None:
    board = Board("W:W33:B22")
    board.push("33-28")
    board.push("22x33")
    game = Game.from_board(board, {"Event": "Test"})
    assert game.result == "0-2" and game.end().board() == board
    assert '[FEN "W:W33:B22"]' in str(game) and Game.from_pdn(str(game)).end().board() == board
    russian = Board.from_moves(["c3-d4"], variant="russian")
    assert Game.from_pdn(str(Game.from_board(russian))).end().board() == russian
    assert Game(board).start == Board(board.fen)


def check_copies() -> None:
    kings = Board("W:WK1:BK50")
    game = Game.from_board(Board.from_moves(["1-6", "50-45", "6-1", "45-50"] * 400, kings.fen))
    for copied in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert str(copied) == str(game) and len(copied.mainline_moves()) == 1600
    assert pickle.loads(pickle.dumps(Game())).start == Board()
    (annotated,) = read_games(io.StringIO(TEXT))
    side = pickle.loads(pickle.dumps(annotated["32-28"]["17-22"]))
    assert side.starting_comments == ["or"] and side.game is not annotated and str(side.game) == str(annotated)


def check_errors() -> None:
    text = '[White "A"]\n1. 32-28 19-23 2. 50-1 *\n\n[White "B"]\n1. 32-28 *\n'
    broken, good = read_games(io.StringIO(text))
    assert broken.error is not None and broken.error.startswith("line 2, ") and len(broken.mainline_moves()) == 2
    assert good.error is None and good.tags["White"] == "B"
    later = list(read_games(io.StringIO(text + "\n" + text)))[2]
    assert later.error is not None and later.error.startswith("line 8, "), later.error
    raises(ValueError, "50-1", lambda: Game.from_pdn(text))
    raises(ValueError, "no game", lambda: Game.from_pdn(""))
    raises(ValueError, "chess", lambda: list(read_games(io.StringIO(text), variant="chess")))
    assert [game.tags["White"] for game in read_games(text.splitlines(keepends=True))] == ["A", "B"]
    two = list(read_games(io.StringIO('[White "A"] 1. 32-28 *\n[White "B"] 1. 31-26 *')))
    assert [len(game.mainline_moves()) for game in two] == [1, 1]
    (brackets,) = read_games(io.StringIO("1. 32-28 { a\n[White not a tag]\n} 19-23 *"))
    assert len(brackets.mainline_moves()) == 2


def check_variants() -> None:
    """Games that don't specify their variant are read alike, also those that other variants allow."""
    frisian = (
        "1. 32-28 20-25 2. 37-32 14-20 3. 31-26 18-22 4. 32-27 22x31 5. 26x37 17-21 6. 37-31 21-26 "
        "7. 38-32 26x37 8. 36x38 *"
    )
    text = "\n\n".join(f'[White "A"]\n{moves}' for moves in ["1. 32-28 *", frisian, frisian])
    assert [game.start.variant for game in read_games(io.StringIO(text))] == ["frisian"] * 3
    assert [game.variant for game in read_pdn(text)] == ["frisian"] * 3
    (one,) = read_games(io.StringIO("1. 32-28 *"))
    assert one.start.variant == "international"


def check_files_are_streams() -> None:
    game = TEXT.replace("Ann", "Ann Müller").encode("cp1252") + b"\n"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "games.pdn")
        with open(path, "wb") as file:
            file.writelines(game for _ in range(20_000))
        games = read_games(path)
        assert next(games).tags["White"] == "Ann Müller"
        before, began = resident(), time.monotonic()
        count = 1 + sum(1 for game in games if game.result == "1-1")
        took = time.monotonic() - began
    assert count == 20_000 and resident() - before < 8192, (count, before, resident())
    print(f"{count / took:,.0f} games/s")


if __name__ == "__main__":
    run(
        check_trees,
        check_comments_before_the_moves,
        check_games_without_moves,
        check_round_trips,
        check_building,
        check_boards_as_games,
        check_copies,
        check_errors,
        check_variants,
        check_files_are_streams,
    )
