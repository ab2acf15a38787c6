#!/usr/bin/env python3
"""Prints the level openings of a game for which no federation has ballots.

They are all positions after a few plies, each by the first sequence of moves that leads to it, in
which the side to move has no capture and a search finds neither side ahead by half a man.
MANOURY is the program.

    scripts/level_openings.py VARIANT PLIES > book/ballots/VARIANT.txt
"""

import json
import os
import re
import subprocess
import sys

NODES = 100_000
MEN_AHEAD = 0.5


def run(arguments, text=""):
    """The lines that the program prints."""
    command = [os.environ.get("MANOURY", "target/release/manoury"), *arguments]
    output = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True)
    return output.stdout.splitlines()


def ask(command, variant, positions, *options):
    """The lines that the program prints, one for each position."""
    text = "".join(fen(position) + "\n" for position in positions)
    return run([command, "--variant", variant, "--fen", "-", *options], text)


def start(variant):
    """The side to move, White's men and Black's men."""
    [line] = run(["analyze", "--variant", variant, "--depth", "1", "--json"])
    side, *men = re.findall(r"[WB](?=:)|\d+-\d+", json.loads(line)["fen"])
    ends = [map(int, squares.split("-")) for squares in men]
    return side, *(frozenset(range(first, last + 1)) for first, last in ends)


def fen(position):
    white, black = (",".join(map(str, sorted(squares))) for squares in position[1:])
    return f"{position[0]}:W{white}:B{black}"


def after(position, move):
    """The position after a move in Hub notation: 32-28 or 28x19x23."""
    side, white, black = position
    start, end, *captured = map(int, re.split("[-x]", move))
    if side == "W":
        return "B", (white - {start}) | {end}, black.difference(captured)
    return "W", white.difference(captured), (black - {start}) | {end}


def one_ply_on(variant, games):
    """The games one ply longer, without those that lead to the position of another or to a king:
    a man that has passed the start squares of both sides (Turkish).
    """
    longer, positions = [], [position for position, _ in games]
    for (position, moves), legal in zip(games, ask("moves", variant, positions)):
        longer += [(after(position, move), [*moves, move]) for move in legal.split()]
    _, white_start, black_start = start(variant)
    different = {}
    for position, moves in longer:
        _, white, black = position
        if min(white) >= min(black_start) and max(black) <= max(white_start):
            different.setdefault(position, moves)
    return list(different.items())


def main(variant, plies):
    games = [(start(variant), [])]
    for _ in range(plies):
        games = one_ply_on(variant, games)
    positions = [position for position, _ in games]
    found = ask("analyze", variant, positions, "--json", "--threads", "1", "--nodes", str(NODES))
    print(f"# Not ballots of a federation: all positions after {plies} plies in which the side to move has no")
    print(f"# capture and a search of {NODES:,} nodes finds neither side {MEN_AHEAD} men ahead. Made by")
    print("# scripts/level_openings.py.")
    for (_, moves), legal, line in zip(games, ask("moves", variant, positions), found):
        if "x" not in legal and abs(json.loads(line)["lines"][0]["score"]) < MEN_AHEAD:
            print(*moves)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]))
