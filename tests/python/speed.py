"""The speed of boards in Python, against those of other packages that are installed: the fastest of several runs,
from the start position. Prints a table, with the speed of Manoury relative to each package."""

import time
from typing import Any, Callable


def of_manoury() -> Any:
    import manoury

    return manoury


def of_dame_rs() -> Any:
    import dame

    return dame


def of_py_draughts() -> Any:
    import draughts

    return draughts


def perft(board: Any, depth: int) -> int:
    moves = board.legal_moves
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        board.push(move)
        leaves += perft(board, depth - 1)
        board.pop()
    return leaves


def push_and_pop(board: Any, move: Any) -> None:
    board.push(move)
    board.pop()


def written(board: Any) -> Any:
    return board.fen() if callable(board.fen) else board.fen


def nanoseconds(action: Callable[[], object], times: int, runs: int) -> float:
    best = float("inf")
    for _ in range(runs):
        began = time.perf_counter()
        for _ in range(times):
            action()
        best = min(best, time.perf_counter() - began)
    return 1e9 * best / times


def measured(package: Any) -> dict[str, float]:
    board = package.Board()
    move, fen = list(board.legal_moves)[3], written(board)
    assert perft(board, 4) == 4265
    return {
        "number of legal moves": nanoseconds(lambda: len(board.legal_moves), 5000, 20),
        "list of legal moves": nanoseconds(lambda: list(board.legal_moves), 5000, 20),
        "push and pop": nanoseconds(lambda: push_and_pop(board, move), 5000, 20),
        "write a FEN": nanoseconds(lambda: written(board), 5000, 20),
        "read a FEN": nanoseconds(lambda: package.Board(fen), 2000, 20),
        "perft 6": nanoseconds(lambda: perft(board, 6), 1, 3),
    }


own = measured(of_manoury())
print("| package | task | µs | Manoury is faster by |")
print("| --- | --- | --- | --- |")
for name, package in ("manoury", of_manoury), ("dame-rs", of_dame_rs), ("py-draughts", of_py_draughts):
    try:
        times = measured(package())
    except ImportError:
        continue
    for task, took in times.items():
        print(f"| {name} | {task} | {took / 1000:,.2f} | {took / own[task]:.2f} |")
