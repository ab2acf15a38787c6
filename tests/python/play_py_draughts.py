"""Plays with py-draughts, another library than pydraughts: the engine, as its HubEngine, against a random mover.

    python play_py_draughts.py ENGINE [SEED]

py-draughts waits for ever if it overlooks a line, which on a busy machine it may do now and then, and with every
engine; an engine that sends its lines together never starts. Exit code 1 if more than a few sessions get stuck.
"""

import random
import sys
import threading

from draughts import StandardBoard
from draughts.engines import HubEngine

SESSIONS = 10
MOST_STUCK = 3
MOVES = 12
SECONDS_A_MOVE = 0.02
# A start or a move may take so long on a busy machine.
PATIENCE = 5.0


def in_time(action):
    """The result of an action, or an error if it takes too long."""
    results = []
    thread = threading.Thread(target=lambda: results.append(action()), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    if not results:
        raise TimeoutError(f"no answer in {PATIENCE} s")
    return results[0]


def play(path, chooser):
    engine = HubEngine(path, time_limit=SECONDS_A_MOVE)
    in_time(lambda: engine.start() or engine)
    board = StandardBoard()
    for _ in range(MOVES):
        move = in_time(lambda: engine.get_best_move(board))
        board.push(move)
        replies = list(board.legal_moves)
        if not replies:
            break
        board.push(chooser.choice(replies))
    engine.quit()


def main():
    path, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chooser = random.Random(seed)
    stuck = 0
    for _ in range(SESSIONS):
        try:
            play(path, chooser)
        except TimeoutError as error:
            stuck += 1
            print(error)
    print(f"{SESSIONS} sessions, {stuck} stuck")
    return 1 if stuck > MOST_STUCK else 0


if __name__ == "__main__":
    sys.exit(main())
