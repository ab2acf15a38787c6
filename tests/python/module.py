"""The module ``manoury``: what its stubs and docstrings do not show. Runs where the wheel is installed."""

import copy
import doctest
import inspect
import pathlib
import tempfile
import threading
import time

import manoury
from manoury import Bitbases, Board, Engine, Info, read_pdn
from manoury._manoury import run


def resident() -> int:
    """The memory of this process in KiB; 0 where it is unknown."""
    status = pathlib.Path("/proc/self/status")
    if not status.exists():
        return 0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


def raises(kind: type[BaseException], words: str, action: object) -> None:
    assert callable(action)
    try:
        action()
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"no {kind.__name__}")


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
    assert found >= 8, found
    assert runner.summarize().failed == 0


def check_boards() -> None:
    board = Board()
    for move in ("32-28", "19-23", "28x19", "14x23"):
        board.push(move)
    assert (board.ply, board.turn, board.moves[2]) == (4, "white", "28x19")
    same, other = board.copy(), copy.deepcopy(board)
    assert board == same == other and board.pop() == "14x23" and board != same
    assert Board(same.fen).fen == same.fen and Board(same.fen) != same
    raises(ValueError, "28-32", lambda: board.push("28-32"))
    raises(ValueError, "chess", lambda: Board(variant="chess"))
    raises(ValueError, "60", lambda: Board("W:W60:B1"))
    raises(IndexError, "no move", Board().pop)
    assert Board(variant="russian").legal_moves[0] == "a3-b4"
    repeated = Board("W:WK1:BK50")
    for move in ("1-6", "50-45", "6-1", "45-50") * 3:
        if repeated.result() is None:
            repeated.push(move)
    assert repeated.result() == "1-1" and repeated.reason()


def check_searches() -> None:
    engine, board = Engine(tt_size=16), Board()
    nodes = engine.search(board, depth=8).info.nodes
    engine.new_game()
    assert engine.search(board, depth=8).info.nodes == nodes
    ranks: list[int] = []
    engine.search(board, nodes=5000, lines=3, on_info=lambda info: ranks.append(info.rank))
    assert {1, 2, 3} <= set(ranks)
    raises(ValueError, "limit", lambda: engine.search(board))
    raises(ValueError, "lines=0", lambda: engine.search(board, depth=1, lines=0))
    raises(ValueError, "frisian", lambda: engine.search(Board(variant="frisian"), depth=1))
    raises(ValueError, "tt_size=40", lambda: Engine(tt_size=40))
    raises(OSError, "nowhere", lambda: Engine(weights="/nowhere"))
    over = engine.search(Board("B:W28:B"), depth=3)
    assert over.move is None and over.reply is None and over.info.line == []

    def fail(_: Info) -> None:
        raise KeyError("from the callback")

    raises(KeyError, "from the callback", lambda: engine.search(board, time=60, on_info=fail))
    threading.Timer(0.2, engine.stop).start()
    began = time.monotonic()
    assert engine.search(board, time=60).move and time.monotonic() - began < 10


def check_other_threads_run() -> None:
    ticks: list[float] = []
    thread = threading.Thread(target=lambda: Engine(tt_size=16).search(Board(), time=0.5))
    thread.start()
    while thread.is_alive():
        ticks.append(time.monotonic())
        time.sleep(0.01)
    assert len(ticks) > 10, len(ticks)


def check_memory() -> None:
    engine, board = Engine(tt_size=16), Board()
    sizes = []
    for search in range(1000):
        engine.search(board, nodes=200, on_info=str)
        if search in (199, 999):
            sizes.append(resident())
    assert sizes[1] - sizes[0] < 2048, f"1,000 searches: {sizes} KiB"


def check_program() -> None:
    # Twice in one process.
    for arguments, code in (["manoury", "perft", "--depth", "2"], 0), (["manoury", "--nonsense"], 2):
        assert run(arguments) == code, arguments


def check_endings_and_games() -> None:
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


for check in (
    check_docstrings,
    check_boards,
    check_searches,
    check_other_threads_run,
    check_memory,
    check_program,
    check_endings_and_games,
):
    check()
    print(f"{check.__name__[6:].replace('_', ' ')}: well")
