#!/usr/bin/env python3
"""Measures evaluations on endings: how often their sign agrees with the bitbases.

    scripts/endings.py --bitbases DIR --pieces 5 WEIGHTS ..

Quiet positions of international draughts are drawn at random, the same for each of the WEIGHTS (weights
files of `manoury train`, or `hand`). An evaluation of more than half a man says that the position is
won, one of less than minus half a man that it is lost, anything else that it is drawn. Prints the
share of correct ones among won, drawn and lost positions, and among all, as a Markdown table.
`manoury bitbase generate --pieces 5` makes the bitbases.
"""

import argparse
import json
import random
import subprocess
import sys

SQUARES = range(1, 51)
HALF_A_MAN = 0.5


def position(pieces: int, lot: random.Random) -> str:
    """A position as FEN: at least one piece of each side, each a king with even chances."""
    side = lot.choice("WB")
    whites = lot.randrange(1, pieces)
    squares = lot.sample(SQUARES, pieces)
    sides = {}
    for name, rows, own in ("W", range(6, 51), squares[:whites]), ("B", range(1, 46), squares[whites:]):
        # Only kings stand on the row where men are crowned.
        kings = ["" if square in rows and lot.random() < 0.5 else "K" for square in own]
        sides[name] = ",".join(f"{king}{square}" for king, square in zip(kings, own))
    return f"{side}:W{sides['W']}:B{sides['B']}"


def answers(program: str, weights: str, bitbases: str, fens: list[str]) -> list[dict]:
    """What the program says of positions."""
    command = [program, "eval", "--json", "--fen", "-", "--weights", weights, "--bitbases", bitbases]
    run = subprocess.run(command, input="\n".join(fens) + "\n", capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr.strip())
    return [json.loads(line) for line in run.stdout.splitlines()]


def quiet(program: str, bitbases: str, pieces: int, count: int, seed: int) -> dict[str, str]:
    """Quiet positions and their values."""
    lot, found = random.Random(seed), {}
    while len(found) < count:
        fens = [position(pieces, lot) for _ in range(count)]
        for fen, answer in zip(fens, answers(program, "hand", bitbases, fens)):
            if answer["quiet"] and answer["score"] is not None and len(found) < count:
                if answer["value"] is None:
                    sys.exit(f"{fen} is in no bitbase of {bitbases}")
                found[fen] = answer["value"]
    return found


def verdict(score: float) -> str:
    """What an evaluation says of a position."""
    if abs(score) <= HALF_A_MAN:
        return "draw"
    return "win" if score > 0 else "loss"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", nargs="+")
    parser.add_argument("--bitbases", required=True, help="folder of bitbases")
    parser.add_argument("--pieces", type=int, default=5, help="pieces of each position")
    parser.add_argument("--count", type=int, default=2000, help="number of positions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default="target/release/manoury")
    options = parser.parse_args()

    values = quiet(options.program, options.bitbases, options.pieces, options.count, options.seed)
    classes = {value: [fen for fen in values if values[fen] == value] for value in ("win", "draw", "loss")}
    print(f"| {options.pieces} pieces | " + " | ".join(f"{value} ({len(fens)})" for value, fens in classes.items()) + " | all |")
    print("| --- | --- | --- | --- | --- |")
    for weights in options.weights:
        found = answers(options.program, weights, options.bitbases, list(values))
        right = {fen for fen, answer in zip(values, found) if verdict(answer["score"]) == values[fen]}
        shares = [len(right.intersection(fens)) / max(len(fens), 1) for fens in [*classes.values(), values]]
        print(f"| {weights} | " + " | ".join(f"{share:.1%}" for share in shares) + " |")


if __name__ == "__main__":
    main()
