"""Threads, forks, signals, memory and wrong arguments. Runs where the wheel is installed."""

import math
import os
import signal
import threading
import time

from checks import raises, resident, run
from manoury import Board, Engine, Info, Limit


def check_a_board_is_free_while_it_is_searched() -> None:
    engine, board = Engine(tt_size=16), Board()

    def push(_: Info) -> None:
        board.push(board.legal_moves[0])
        board.pop()

    assert engine.search(board, depth=8, on_info=push).move in board.legal_moves
    thread = threading.Thread(target=lambda: board.perft(8))
    thread.start()
    pushes = 0
    while thread.is_alive():
        push_and_pop(board)
        pushes += 1
        time.sleep(0)
    assert pushes > 0


def push_and_pop(board: Board) -> None:
    board.push("32-28")
    board.pop()


def check_other_threads_run() -> None:
    ticks: list[float] = []
    thread = threading.Thread(target=lambda: Engine(tt_size=16).search(Board(), time=0.5))
    thread.start()
    while thread.is_alive():
        ticks.append(time.monotonic())
        time.sleep(0.01)
    assert len(ticks) > 10, len(ticks)


def check_forks() -> None:
    if not hasattr(os, "fork"):
        return
    engine, board = Engine(threads=2, tt_size=16), Board()
    assert board.perft(7) == 1049442 and engine.search(board, depth=8).move
    child = os.fork()
    if child == 0:
        code = 1
        try:
            move = engine.search(board, depth=8).move
            fresh = Engine(threads=2, tt_size=16).search(board, depth=6).move
            code = 0 if board.perft(7) == 1049442 and move and fresh else 2
            del engine
        finally:
            os._exit(code)
    deadline = time.monotonic() + 60
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            raise AssertionError("the child process hangs")
        time.sleep(0.05)
    assert status == 0, status
    assert engine.search(board, depth=8).move


def check_arguments() -> None:
    engine, board = Engine(tt_size=16), Board()
    raises(ValueError, "depth=-1", lambda: engine.search(board, depth=-1))
    raises(ValueError, "depth=4294967296", lambda: engine.search(board, depth=2**32))
    raises(ValueError, "nodes=-1", lambda: engine.search(board, nodes=-1))
    raises(ValueError, f"nodes={10**30}", lambda: engine.search(board, nodes=10**30))
    for time_ in (math.nan, math.inf, -1.0):
        raises(ValueError, "time=", lambda: engine.search(board, time=time_))
    raises(ValueError, "clock=", lambda: engine.play(board, Limit(white_clock=-1)))
    raises(ValueError, "increment=", lambda: engine.play(board, Limit(white_clock=1, white_inc=math.nan)))
    raises(ValueError, "seed=-1", lambda: Engine(seed=-1))
    raises(ValueError, "threads=0", lambda: Engine(threads=0))
    raises(ValueError, "level=-3", lambda: Engine(level=-3))
    raises(ValueError, "tt_size=40", lambda: Engine(tt_size=40))
    raises(ValueError, "lines=0", lambda: engine.search(board, depth=1, lines=0))
    raises(ValueError, "limit", lambda: engine.search(board))
    raises(ValueError, "depth=-1", lambda: board.perft(-1))
    raises(ValueError, "depth=101", lambda: board.perft(101))
    raises(ValueError, "frisian", lambda: engine.search(Board(variant="frisian"), depth=1))
    raises(TypeError, "depth", lambda: engine.search(board, depth="deep"))  # type: ignore[arg-type]
    raises(TypeError, "time", lambda: engine.search(board, time="long"))  # type: ignore[arg-type]
    raises(OSError, "nowhere", lambda: Engine(weights="/nowhere"))


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def check_ctrl_c() -> None:
    # A shell without job control starts programs in the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    many = Board("W:W" + ",".join(f"K{square}" for square in range(31, 51)) + ":BK1,K2,K3")
    for action in (
        lambda: Board().perft(13),
        lambda: many.perft(9),
        lambda: Engine(tt_size=16).search(Board(), time=60),
    ):
        timer = threading.Timer(0.3, interrupt)
        timer.start()
        began = time.monotonic()
        raises(KeyboardInterrupt, "", action)
        assert time.monotonic() - began < 5, action


def check_memory() -> None:
    Engine(), Board().perft(6)
    before = resident()
    engines = [Engine() for _ in range(20)]
    engines.clear()
    assert resident() - before < 20_000, f"20 dropped engines: {before} to {resident()} KiB"
    engine, board = Engine(tt_size=16), Board()
    sizes = []
    for search in range(1000):
        engine.search(board, nodes=200, on_info=str)
        board.push(board.legal_moves[0])
        board.pop()
        if search in (199, 999):
            sizes.append(resident())
    assert sizes[1] - sizes[0] < 2048, f"1,000 searches: {sizes} KiB"


if __name__ == "__main__":
    run(
        check_a_board_is_free_while_it_is_searched,
        check_other_threads_run,
        check_forks,
        check_arguments,
        check_ctrl_c,
        check_memory,
    )
