"""The speed of boards in Python, against those of other packages that are installed: lists of legal moves
and perft 4 by push and pop, from the start position, the fastest of 50. Prints a table."""

import time
from typing import Any, Callable


def of_manoury() -> tuple[Any, Callable[[Any], Any], Callable[[Any, Any], Any], Callable[[Any], Any]]:
    from manoury import Board

    return Board(), lambda board: board.legal_moves, Board.push, Board.pop


def of_py_draughts() -> tuple[Any, Callable[[Any], Any], Callable[[Any, Any], Any], Callable[[Any], Any]]:
    from draughts import Board

    return Board(), lambda board: list(board.legal_moves), Board.push, Board.pop


def of_dame_rs() -> tuple[Any, Callable[[Any], Any], Callable[[Any, Any], Any], Callable[[Any], Any]]:
    import dame

    return dame.Board(), lambda board: board.legal_moves, dame.Board.push, dame.Board.pop


def perft(board: Any, moves: Any, push: Any, pop: Any, depth: int) -> int:
    found = moves(board)
    if depth == 1:
        return len(found)
    leaves = 0
    for move in found:
        push(board, move)
        leaves += perft(board, moves, push, pop, depth - 1)
        pop(board)
    return leaves


print("| package | legal moves, lists/s | perft 4, ms |")
print("| --- | --- | --- |")
for name, package in ("manoury", of_manoury), ("py-draughts", of_py_draughts), ("dame-rs", of_dame_rs):
    try:
        board, moves, push, pop = package()
    except ImportError:
        continue
    lists, began = 0, time.perf_counter()
    while time.perf_counter() - began < 1:
        for _ in range(100):
            moves(board)
        lists += 100
    rate = lists / (time.perf_counter() - began)
    times = []
    for _ in range(50):
        began = time.perf_counter()
        assert perft(board, moves, push, pop, 4) == 4265
        times.append(time.perf_counter() - began)
    print(f"| {name} | {rate:,.0f} | {1000 * min(times):.2f} |")
