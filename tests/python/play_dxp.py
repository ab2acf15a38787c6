"""Plays whole games over DXP with pydraughts: the engine, as its DXPEngine, against a random mover.

    python play_dxp.py ENGINE [SEED]

Four games, each on a connection of its own; in every other one a move is taken back. Each must be won or
drawn by the engine, with legal moves only. Exit code 1 if not.
"""

import random
import subprocess
import sys

import draughts
from draughts.engine import DXPEngine

GAMES = 4
SECONDS_A_MOVE = "0.02"
LONGEST_GAME = 400
# The ply after which a move is taken back.
TAKEBACK = 20


class Fault(Exception):
    """What the engine did wrong."""


def listen(path):
    """Starts the engine; its process and port."""
    command = [path, "dxp", "--listen", "127.0.0.1:0", "--move-time", SECONDS_A_MOVE, "--tt-size", "20"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    return process, line.strip().rsplit(":", 1)[1]


def push(board, move):
    """Makes the engine's move."""
    if move is None:
        raise Fault(f"no move in {board.fen}")
    board.push(next(legal for legal in board.legal_moves() if legal.board_move == move.board_move))


def take_back(engine, board):
    """Takes back the engine's last move, so that it moves again."""
    # pydraughts takes the engine's colour for that of the side that begins, and does not wait.
    accepted, _, _ = engine.takeback(len(board.move_stack) // 2, draughts.BLACK)
    if not accepted:
        raise Fault("moves cannot be taken back")
    board.pop()
    push(board, engine._recv_move())


def play(port, has_takeback, chooser):
    engine = DXPEngine(options={"engine-opened": True, "port": port})
    board = draughts.Board()
    try:
        # pydraughts gives the engine the side that does not begin.
        while not board.is_over():
            if len(board.move_stack) > LONGEST_GAME:
                raise Fault(f"no end in sight: {board.fen}")
            if has_takeback and len(board.move_stack) == TAKEBACK:
                take_back(engine, board)
                has_takeback = False
            board.push(chooser.choice(board.legal_moves()))
            if not board.is_over():
                push(board, engine.play(board).move)
    finally:
        engine.quit()
    if board.winner() not in (draughts.BLACK, 0):
        raise Fault(f"lost against random moves: {board.fen}")


def main():
    path, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chooser = random.Random(seed)
    process, port = listen(path)
    faults = 0
    for game in range(GAMES):
        try:
            play(port, game % 2 == 1, chooser)
        except Fault as fault:
            print(f"game {game + 1}: {fault}")
            faults += 1
    process.terminate()
    output, errors = process.communicate(timeout=10)
    print(output + errors)
    print(f"{GAMES} games, faults: {faults}, exit code {process.returncode}")
    return 1 if faults or process.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
