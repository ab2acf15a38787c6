#!/usr/bin/env python3
"""Measures evaluations on endings: how often their sign agrees with the bitbases.

    scripts/endings.py --bitbases DIR --pieces 5 [--variant VARIANT] [--material] WEIGHTS ..

Quiet positions are drawn at random, the same for each of the WEIGHTS (weights files of `manoury train`,
or `hand`). An evaluation of more than half a man says that the position is won, one of less than minus
half a man that it is lost, anything else that it is drawn. Prints the share of correct ones among won,
drawn and lost positions, and among all, as a Markdown table; with --material also by the pieces of
each side, as 2+1/ for two men and a king, with a king on the main road. `manoury bitbase generate --pieces 5` makes the bitbases.
"""

import argparse
import json
import random
import subprocess
import sys

# Squares, and squares of a row.
BOARDS = dict.fromkeys(("brazilian", "russian", "english", "italian", "czech", "german", "pool", "spanish"), (32, 4))
BOARDS["canadian"] = (72, 6)
OTHER_BOARDS = (50, 5)
HALF_A_MAN = 0.5
VALUES = ("win", "draw", "loss")


def position(variant: str, pieces: int, lot: random.Random) -> str:
    """A position as FEN: at least one piece of each side, each a king with even chances."""
    count, row = BOARDS.get(variant, OTHER_BOARDS)
    side = lot.choice("WB")
    whites = lot.randrange(1, pieces)
    squares = lot.sample(range(1, count + 1), pieces)
    sides = {}
    white_men, black_men = range(row + 1, count + 1), range(1, count - row + 1)
    for name, rows, own in ("W", white_men, squares[:whites]), ("B", black_men, squares[whites:]):
        # Only kings stand on the row where men are crowned.
        kings = ["" if square in rows and lot.random() < 0.5 else "K" for square in own]
        sides[name] = ",".join(f"{king}{square}" for king, square in zip(kings, own))
    return f"{side}:W{sides['W']}:B{sides['B']}"


def answers(options: argparse.Namespace, weights: str, fens: list[str]) -> list[dict]:
    """What the program says of positions."""
    command = [options.program, "eval", "--json", "--fen", "-", "--variant", options.variant]
    command += ["--weights", weights, "--bitbases", options.bitbases]
    run = subprocess.run(command, input="\n".join(fens) + "\n", capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr.strip())
    return [json.loads(line) for line in run.stdout.splitlines()]


def quiet(options: argparse.Namespace) -> dict[str, str]:
    """Quiet positions and their values."""
    lot, found = random.Random(options.seed), {}
    while len(found) < options.count:
        fens = [position(options.variant, options.pieces, lot) for _ in range(options.count)]
        for fen, answer in zip(fens, answers(options, "hand", fens)):
            if answer["quiet"] and answer["score"] is not None and len(found) < options.count:
                if answer["value"] is None:
                    sys.exit(f"{fen} is in no bitbase of {options.bitbases}")
                found[fen] = answer["value"]
    return found


def material(variant: str, fen: str) -> str:
    """The men and kings of each side, the side with more pieces or else more kings first; with a / where
    it has a king on the main road, the long diagonal from White's left.
    """
    count, row = BOARDS.get(variant, OTHER_BOARDS)
    road = {f"K{square}" for start in (count - row + 1, count - 2 * row + 1) for square in range(start, 1, 1 - 2 * row)}
    sides = [pieces[1:].split(",") for pieces in fen.split(":")[1:]]
    counts = [(len(side), sum(piece.startswith("K") for piece in side), not road.isdisjoint(side)) for side in sides]
    names = [f"{pieces - kings}+{kings}{'/' * on_road}" for pieces, kings, on_road in sorted(counts, reverse=True)]
    return " against ".join(names)


def verdict(answer: dict) -> str:
    """What an evaluation says of a position, for the side to move. Scores are for White."""
    score = answer["score"] if answer["fen"].startswith("W") else -answer["score"]
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
    parser.add_argument("--variant", default="international")
    parser.add_argument("--material", action="store_true", help="also print the shares by material")
    parser.add_argument("--program", default="target/release/manoury")
    options = parser.parse_args()

    values = quiet(options)
    groups = {f"{options.pieces} pieces": list(values)}
    if options.material:
        for fen in sorted(values, key=lambda fen: material(options.variant, fen)):
            groups.setdefault(material(options.variant, fen), []).append(fen)
    print(f"| {options.variant} | weights | {' | '.join(VALUES)} | all |")
    print("| --- | --- | --- | --- | --- | --- |")
    for weights in options.weights:
        found = answers(options, weights, list(values))
        right = {fen for fen, answer in zip(values, found) if verdict(answer) == values[fen]}
        for name, fens in groups.items():
            parts = [[fen for fen in fens if values[fen] == value] for value in VALUES] + [fens]
            shares = (f"{len(right.intersection(part)) / max(len(part), 1):.1%} of {len(part)}" for part in parts)
            print(f"| {name} | {weights} | {' | '.join(shares)} |")


if __name__ == "__main__":
    main()
