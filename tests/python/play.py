"""Plays whole games with pydraughts: the engine, as its HubEngine, against a random mover.

    python play.py ENGINE [SEED]

Ten games at one second a game, ten at 0.01 seconds a move. Each must be won or drawn by the engine,
with legal moves only, and never out of time. Exit code 1 if not.
"""

import random
import sys
import time

import draughts
from draughts.engine import HubEngine

GAMES = 10
SECONDS_A_GAME = 1.0
SECONDS_A_MOVE = 0.01
# A move may take so much longer than asked for, as the machine may be busy.
GRACE = 0.5
LONGEST_GAME = 400


class Fault(Exception):
    """What the engine did wrong."""


def hub_moves(board):
    return " ".join(move.hub_move for move in board.move_stack)


def same_move(hub_move):
    """A Hub move without the order of its captured squares."""
    squares = hub_move.replace("-", "x").split("x")
    return squares[:2], sorted(squares[2:])


def engine_move(engine, board, limit):
    """The engine's move, and the seconds it took."""
    start = time.monotonic()
    answer, _ = engine.go(board._game.initial_hub_fen, moves=hub_moves(board), **limit)
    seconds = time.monotonic() - start
    for move in board.legal_moves():
        if same_move(move.hub_move) == same_move(answer):
            return move, seconds
    raise Fault(f"illegal move {answer} in {board.fen}")


def play(engine, side, limit, chooser):
    """Plays a game; the engine's clock runs if the limit is one of the game."""
    engine.send("new-game")
    board = draughts.Board()
    left = SECONDS_A_GAME
    while not board.is_over():
        if len(board.move_stack) > LONGEST_GAME:
            raise Fault(f"no end in sight: {board.fen}")
        if board.turn != side:
            board.push(chooser.choice(board.legal_moves()))
            continue
        if limit == "clock":
            move, seconds = engine_move(engine, board, {"my_time": left})
            left -= seconds
            if left < 0:
                raise Fault(f"out of time after {len(board.move_stack)} plies")
        else:
            move, seconds = engine_move(engine, board, {"movetime": SECONDS_A_MOVE})
            if seconds > SECONDS_A_MOVE + GRACE:
                raise Fault(f"{seconds:.3f} s for a move of {SECONDS_A_MOVE} s")
        board.push(move)
    if board.winner() not in (side, 0):
        raise Fault(f"lost against random moves: {board.fen}")
    return "won" if board.winner() == side else "drawn"


def main():
    path, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chooser = random.Random(seed)
    faults = 0
    for limit in ("clock", "move time"):
        engine = HubEngine([path, "hub"])
        engine.configure({"variant": "normal", "threads": 1, "tt-size": 20})
        engine.init()
        results = []
        for game in range(GAMES):
            side = (draughts.WHITE, draughts.BLACK)[game % 2]
            try:
                results.append(play(engine, side, limit, chooser))
            except Fault as fault:
                print(f"{limit}, game {game + 1}: {fault}")
                results.append("fault")
        engine.quit()
        engine.p.wait(timeout=5)
        engine.p.stdin.close()
        engine.p.stdout.close()
        counts = {result: results.count(result) for result in ("won", "drawn", "fault")}
        print(f"{limit}: {GAMES} games, " + ", ".join(f"{n} {r}" for r, n in counts.items()))
        faults += counts["fault"]
    print("faults:", faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
