#!/usr/bin/env python3
"""Measures how much stronger each level is than the one below it, in Elo, by matches from ballots.

    scripts/measure_levels.py DIR VARIANT ..

DIR keeps the logs of the matches: the same command resumes them, and --games of a finished match can be
raised. Prints a Markdown table with 95 % intervals. The highest level has --nodes per move; the others
search fewer. MANOURY is the program.
"""

import argparse
import json
import os
import re
import subprocess
from pathlib import Path

MANOURY = os.environ.get("MANOURY", "target/release/manoury")


def highest_level() -> int:
    """The highest level that the program declares."""
    hub = subprocess.run([MANOURY, "hub"], input="hub\nquit\n", stdout=subprocess.PIPE, text=True, check=True)
    [highest] = re.findall(r"^param name=level .* max=(\d+)$", hub.stdout, re.MULTILINE)
    return int(highest)


def elo(folder: Path, variant: str, level: int, games: int, nodes: int) -> str:
    """The Elo of a level over the one below it, with its interval."""
    command = [MANOURY, "match", "--json", "--variant", variant, "--openings", "ballots"]
    command += ["--games", str(games), "--nodes", str(nodes), "--max-moves", "150"]
    command += ["--log", str(folder / f"{variant}-{level}.log")]
    for number in level, level - 1:
        command += ["--engine", f"{MANOURY} hub,name=Level {number},level={number},param.tt-size=16"]
    # Exit code 1 tells of games lost through a fault, which are in the table like others.
    match = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    [pairing] = json.loads(match.stdout.splitlines()[-1])["pairings"]
    value, low, high = (pairing["elo"][name] for name in ("value", "low", "high"))
    if None in (value, low, high):
        return f"+{pairing['wins']} ={pairing['draws']} -{pairing['losses']}"
    return f"{value:.0f} [{low:.0f}, {high:.0f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path)
    parser.add_argument("variants", nargs="+", metavar="VARIANT")
    parser.add_argument("--levels", type=int, nargs="+", help="the higher ones of the pairs [default: all]")
    parser.add_argument("--games", type=int, default=60, help="games of each pair")
    parser.add_argument("--nodes", type=int, default=100_000, help="nodes per move of the highest level")
    options = parser.parse_args()

    options.dir.mkdir(parents=True, exist_ok=True)
    print("| levels | " + " | ".join(options.variants) + " |")
    print("| ---" * (len(options.variants) + 1) + " |")
    for level in options.levels or range(2, highest_level() + 1):
        found = [elo(options.dir, variant, level, options.games, options.nodes) for variant in options.variants]
        print(f"| {level - 1}, {level} | " + " | ".join(found) + " |", flush=True)


if __name__ == "__main__":
    main()
