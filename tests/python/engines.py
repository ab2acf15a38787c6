"""Engines: results, scores, streams, asyncio, options, and other programs. Runs where the wheel is installed."""

import asyncio
import os
import pickle
import sys
import tempfile
import threading
import time
from typing import Callable

import manoury
from checks import raises, run
from manoury import Analysis, BaseEngine, Board, Engine, EngineError, HubEngine, Info, Limit, Score

Check = Callable[[BaseEngine], None]

SMALL: dict[str, object] = {"tt-size": 16, "book": False}


def hub(**arguments: object) -> HubEngine:
    return Engine.open([manoury.program(), "hub"], settings=SMALL, **arguments)


def check_searches() -> None:
    engine, board = Engine(tt_size=16), Board()
    nodes = engine.search(board, depth=8).info.nodes
    engine.new_game()
    assert engine.search(board, depth=8).info.nodes == nodes
    ranks: list[int] = []
    engine.search(board, nodes=5000, lines=3, on_info=lambda info: ranks.append(info.rank))
    assert {1, 2, 3} <= set(ranks)
    over = engine.search(Board("B:W28:B"), depth=3)
    assert over.move is None and over.reply is None and over.info.line == []
    with hub() as other:
        assert len(other.analyse(Board("B:W28:B"), Limit(depth=3))) == 1

    def fail(_: Info) -> None:
        raise KeyError("from the callback")

    raises(KeyError, "from the callback", lambda: engine.search(board, time=60, on_info=fail))
    threading.Timer(0.2, engine.stop).start()
    began = time.monotonic()
    assert engine.search(board, time=60).move and time.monotonic() - began < 10


def check_scores() -> None:
    score = Score(-0.5, "black")
    assert score == -0.5 and score.white == 0.5 and score.white.side == "white" and score.black is score
    assert not score.is_proven and score.plies_to_end is None
    assert Score(-99.96, "white").is_loss and Score(-99.96, "white").plies_to_end == 4
    assert Score(89.0, "white").is_win and Score(89.0, "white").plies_to_end is None
    copy = pickle.loads(pickle.dumps(score))
    assert copy == score and copy.side == "black"
    raises(ValueError, "red", lambda: Score(1, "red"))
    win = Engine(tt_size=16).analyse(Board("W:WK28:BK5"), Limit(depth=5))[0]
    assert win.score.is_win and win.score.side == "white" and win.score.black.is_loss


def check_limits() -> None:
    engine, board = Engine(tt_size=16), Board()
    began = time.monotonic()
    assert engine.play(board, Limit(white_clock=2, black_clock=1000, white_inc=0.01)).move
    assert time.monotonic() - began < 2
    assert engine.play(board, Limit(nodes=500)).info.nodes < 5000
    raises(ValueError, "no limit", lambda: engine.play(board, Limit()))
    assert [info.rank for info in engine.analyse(board, Limit(nodes=3000), lines=4)] == [1, 2, 3, 4]


def of_both(check: Check) -> None:
    with Engine(tt_size=16) as engine:
        check(engine)
    with hub() as other:
        check(other)


def check_streams() -> None:
    of_both(stream)


def stream(engine: BaseEngine) -> None:
    board = Board()
    began = time.monotonic()
    with engine.analysis(board, lines=2) as analysis:
        board.push("32-28")  # The analysis has a copy.
        for info in analysis:
            assert info.line[0] in Board().legal_moves
            if info.depth >= 7 and len(analysis.lines) == 2:
                break
        assert len(analysis.lines) == 2 and analysis.info is not None
    endless = engine.analysis(board)
    raises(RuntimeError, "already searching", lambda: busy(engine, board, endless))
    endless.stop()
    assert endless.wait().move in board.legal_moves
    early = engine.analysis(board)
    early.stop()
    assert early.wait().move in board.legal_moves
    result = engine.analysis(board, Limit(depth=5)).wait()
    assert result.info.depth == 5 and result.reply is not None
    assert time.monotonic() - began < 20, "stops at once"
    raises(ValueError, "russian", lambda: engine.analysis(Board(variant="russian"), Limit(depth=1)).wait())


def busy(engine: BaseEngine, board: Board, analysis: Analysis) -> None:
    next(iter(analysis))
    engine.play(board, Limit(depth=1))


def check_asyncio() -> None:
    of_both(lambda engine: asyncio.run(use(engine)))


async def use(engine: BaseEngine) -> None:
    board, ticks = Board(), 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    ticking = asyncio.ensure_future(tick())
    result = await engine.play_async(board, Limit(time=0.3))
    assert result.move in board.legal_moves and ticks > 5, ticks
    lines = await engine.analyse_async(board, Limit(depth=5), lines=2)
    assert [info.rank for info in lines] == [1, 2]
    async with engine.analysis(board) as analysis:
        async for info in analysis:
            if info.depth >= 5:
                break
    began = time.monotonic()
    try:
        await asyncio.wait_for(engine.play_async(board, Limit(time=60)), 0.2)
    except asyncio.TimeoutError:
        pass
    assert time.monotonic() - began < 10
    assert (await engine.play_async(board, Limit(depth=3))).move
    ticking.cancel()


def check_options() -> None:
    with Engine(tt_size=16) as engine:
        assert engine.options["level"].max == 14 and engine.settings["tt_size"] == 16
        engine.configure(level=1, seed=5, threads=2)
        assert engine.play(Board(), Limit(depth=20)).info.nodes < 100_000
        raises(ValueError, "no option 'hash'", lambda: engine.configure(hash=3))
        raises(ValueError, "level=15", lambda: engine.configure(level=15))
        assert engine.settings["level"] == 1
        assert repr(engine) == "Engine(threads=2, tt_size=16, level=1, seed=5)", engine
    raises(EngineError, "closed", lambda: engine.play(Board(), Limit(depth=1)))
    engine.close()
    with hub() as other:
        threads = other.options["threads"]
        assert (threads.kind, threads.min, threads.max, other.settings["tt-size"]) == ("int", 1, 256, 16)
        other.configure(tt_size=17)
        assert other.settings["tt-size"] == 17 and other.play(Board(), Limit(depth=3)).move
        raises(ValueError, "level=15", lambda: other.configure(level=15))
        raises(ValueError, "no option", lambda: other.configure(hash=1))
        raises(ValueError, "line end", lambda: other.configure(weights="a\nquit"))


def check_engines_agree() -> None:
    for fen, variant in ((None, "international"), ("W:WK28,50:BK5,12", "frisian"), (None, "russian")):
        board = Board(fen, variant=variant)
        board.push(board.legal_moves[0])
        with Engine(variant=variant, tt_size=16) as one, hub(variant=variant) as other:
            found = [engine.play(board, Limit(depth=7)) for engine in (one, other)]
        assert found[0].move == found[1].move and found[0].info.nodes == found[1].info.nodes, found
        assert found[0].info.line == found[1].info.line and found[0].info.score == found[1].info.score


def check_a_game_of_two_engines() -> None:
    board = Board()
    with Engine(tt_size=16) as one, hub() as other:
        while not board.is_game_over() and board.ply < 40:
            player = one if board.turn == "white" else other
            move = player.play(board, Limit(nodes=300)).move
            assert move is not None
            board.push(move)
    assert board.ply == 40 or board.is_game_over()


FAULTY = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "hub":
        print('id name="Half an engine"', "param name=speed type=int value=3 min=1 max=9", "wait", sep="\\n", flush=True)
    elif word == "init":
        print("ready", flush=True)
    elif word == "go":
        if "{fault}" == "dies":
            sys.exit(3)
        print("info depth=4 score=0.25 pv='x'", flush=True)
        if "{fault}" == "lies":
            print("done move=50-1", flush=True)
    elif word == "quit":
        break
"""


def check_faulty_programs() -> None:
    raises(OSError, "", lambda: HubEngine(["/nowhere/engine"]))
    raises(EngineError, "ended", lambda: HubEngine([sys.executable, "-c", "pass"]))
    raises(EngineError, "in time", lambda: HubEngine([sys.executable, "-c", "input(); input()"], timeout=0.5))
    with tempfile.TemporaryDirectory() as folder:
        time, clock = Limit(time=0.1), Limit(white_clock=0.1)
        faults = ("dies", "exit code 3", time), ("lies", "50-1", time), ("sleeps", "in time", time)
        for fault, words, limit in *faults, ("sleeps", "in time", clock):
            script = os.path.join(folder, "engine.py")
            with open(script, "w") as file:
                file.write(FAULTY.replace("{fault}", fault))
            engine = HubEngine([sys.executable, script], settings={"speed": 4}, timeout=1.5)
            assert engine.name == "Half an engine" and engine.settings == {"speed": 4}
            raises(EngineError, words, lambda: engine.play(Board(), limit))
            engine.close()
            engine.close()


def check_no_processes_stay() -> None:
    engines = [hub() for _ in range(3)]
    processes = [engine._process for engine in engines]
    engines[0].close()
    del engines
    for process in processes:
        assert process.wait(5) is not None


if __name__ == "__main__":
    run(
        check_searches,
        check_scores,
        check_limits,
        check_streams,
        check_asyncio,
        check_options,
        check_engines_agree,
        check_a_game_of_two_engines,
        check_faulty_programs,
        check_no_processes_stay,
    )
