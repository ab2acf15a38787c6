#!/usr/bin/env python3
"""Finds test positions: one move is best, a short search does not find it, and bitbases or a long search confirm it.

    scripts/suite.py DIR [--bitbases BITBASES] [--count N] [--nodes N]

There are two kinds of positions:

1. Endings with five pieces, drawn at random, as they are rare in games. Bitbases prove that the move is the
   only one that wins, or the only one that does not lose.
2. Positions from games of the program against itself, at most COUNT. A search of LONG nodes prefers the
   move to all others by MARGIN, and one of N nodes agrees, or one ten times as long where it finds another
   move. By default N is what two threads search in a minute; it takes a core two minutes.

The result, DIR/suite.txt, has a line for each position: its FEN, `;bm` and the move, and the kind of the
position as a comment of its own. DIR keeps what is done, and the same command resumes it; rate and time
left go to standard error. MANOURY is the program. A new DIR starts with the verdicts in suite_verdicts.jsonl
and with the candidates in suite.jsonl, which took a core two hours, and goes on with those not judged.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

GAMES = 2100
GAME_NODES = 1500
SHORT, LONG = 20_000, 2_000_000
# Random endings: the number of pieces, the expected numbers of kings, and the minimum of legal moves.
PIECES, KINGS, MIN_MOVES = 5, (0, 1, 1, 2), 4
# How many of them are wins, and how many draws; and how many are drawn at a time.
PROVEN, BATCH = 40, 2000
# In men. A candidate that leads by less than EARLY_MARGIN after a tenth of the confirming search rarely
# stands after all of it (one of five did).
MARGIN, EARLY_MARGIN = 0.25, 0.45
# Two positions of a game are at least this many plies apart.
APART = 20
# With fewer pieces the bitbases in the program know the result.
MIN_PIECES = 6
# A position in which a side is further ahead, in men, is decided.
DECIDED = 3.0


def run(arguments, text=""):
    """The lines that the program prints."""
    command = [os.environ.get("MANOURY", "target/release/manoury"), *arguments]
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def after(position, move):
    """The position (side, squares with pieces) after a move in Hub notation: 32-28 or 28x19x23."""
    side, pieces = position
    start, end, *captured = map(int, re.split("[-x]", move))
    pieces = dict(pieces)
    piece = pieces.pop(start)
    for square in captured:
        del pieces[square]
    is_promoted = end <= 5 if side == "W" else end >= 46
    pieces[end] = piece.upper() if is_promoted else piece
    return "B" if side == "W" else "W", pieces


def fen(position):
    """The position as FEN; pieces are w, b, W and B."""
    side, pieces = position
    parts = []
    for colour in "wb":
        own = sorted(square for square, piece in pieces.items() if piece.lower() == colour)
        parts.append(colour.upper() + ",".join(("K" if pieces[square].isupper() else "") + str(square) for square in own))
    return f"{side}:{parts[0]}:{parts[1]}"


START = ("W", {**{square: "b" for square in range(1, 21)}, **{square: "w" for square in range(31, 51)}})


def analyze(fens, *options, size=20):
    """The result of a search of each position."""
    if not fens:
        return []
    # A small table is cleared sooner.
    command = ["analyze", "--fen", "-", "--json", "--tt-size", str(size), *options]
    return [json.loads(line) for line in run(command, "\n".join(fens) + "\n")]


def games(folder):
    """The positions of games that the program plays against itself, a list for each game."""
    path, log = os.path.join(folder, "games.pdn"), os.path.join(folder, "games.log")
    if not os.path.exists(path):
        program = os.environ.get("MANOURY", "target/release/manoury")
        engine = f"{program} hub,param.book=false,param.threads=1,param.tt-size=16"
        limits = ["--games", str(GAMES), "--nodes", str(GAME_NODES), "--concurrency", "1"]
        names = ["--engine", f"{engine},name=One", "--engine", f"{engine},name=Two"]
        run(["match", *limits, *names, "--openings", "4-ply", "--log", log, "--pdn", path + ".part"])
        os.rename(path + ".part", path)
    for line in run(["analyze", path, "--nodes", "1", "--json", "--threads", "1", "--tt-size", "16"]):
        game = json.loads(line)
        position, positions = START, []
        for played in game["moves"]:
            positions.append(position)
            position = after(position, played["move"])
        yield positions


class Progress:
    """Prints the rate and the time left."""

    def __init__(self, what, total, done=0):
        self.what, self.total, self.first, self.done, self.began = what, total, done, done, time.time()

    def step(self, count, found):
        """Counts finished work."""
        self.done += count
        rate = (self.done - self.first) / max(time.time() - self.began, 1e-9)
        left = (self.total - self.done) / rate if rate else 0
        text = f"{self.what}: {self.done} of {self.total}, {found} found, {rate:.1f} a second, {left / 60:.0f} min left"
        print(text, file=sys.stderr, flush=True)


def is_clear(result, margin=MARGIN):
    """Whether one line is better than the others by the margin, and the game is not decided without it."""
    lines = result["lines"]
    if len(lines) < 2:
        return False
    best, other = (line["score"] for line in lines[:2])
    return best - other >= margin and other < DECIDED and best > -DECIDED


def candidates(folder, wanted):
    """Positions that a long search solves clearly and a short one does not."""
    path = os.path.join(folder, "candidates.jsonl")
    found, done = [], 0
    if os.path.exists(path):
        lines = [json.loads(line) for line in open(path)]
        found = [line for line in lines if "fen" in line]
        done = max((line["game"] for line in lines if "fen" not in line), default=-1) + 1
    if len(found) >= wanted:
        return found[:wanted]
    progress = Progress("games", GAMES, done)
    seen = {line["fen"] for line in found}
    for number, positions in enumerate(games(folder)):
        if len(found) >= wanted:
            break
        fens = [fen(position) for position in positions]
        # Many games are alike: the program plays both sides.
        kept = [index for index in range(12, len(fens)) if len(positions[index][1]) >= MIN_PIECES and fens[index] not in seen]
        seen.update(fens)
        if number < done or not kept:
            continue
        fens = [fens[index] for index in kept]
        short = [result["lines"][0]["pv"][0] if result["lines"] else None for result in analyze(fens, "--nodes", str(SHORT), "--threads", "1")]
        middle = analyze(fens, "--nodes", str(LONG // 10), "--threads", "1")
        # The long search is worth its time only where the other two differ, and a shorter one is clear enough.
        doubtful = [k for k in range(len(kept)) if middle[k]["lines"] and middle[k]["lines"][0]["pv"][0] != short[k]]
        lines = analyze([fens[k] for k in doubtful], "--nodes", str(LONG // 5), "--multipv", "2", "--threads", "1")
        doubtful = [k for k, result in zip(doubtful, lines) if is_clear(result, MARGIN / 2)]
        long = analyze([fens[k] for k in doubtful], "--nodes", str(LONG), "--multipv", "2", "--threads", "1")
        last = -APART
        with open(path, "a") as file:
            for k, result in zip(doubtful, long):
                best = result["lines"][0]["pv"][0] if result["lines"] else None
                if is_clear(result) and best != short[k] and kept[k] - last >= APART:
                    last = kept[k]
                    line = {"game": number, "fen": fens[k], "best": best}
                    found.append(line)
                    print(json.dumps(line), file=file)
            print(json.dumps({"game": number}), file=file)
        progress.step(1, len(found))
    return found[:wanted]


def prove(folder, bitbases):
    """Adds verdicts on endings in which the bitbases prove that one move alone wins or holds the draw."""
    count = {value: sum(verdict.get("proven") == value for verdict in verdicts(folder)) for value in ("win", "draw")}
    source = random.Random(1)
    progress = Progress("endings", 2 * PROVEN, sum(count.values()))
    seen = {verdict["fen"] for verdict in verdicts(folder)}
    while min(count.values()) < PROVEN:
        fens = list(dict.fromkeys(fen(random_ending(source)) for _ in range(BATCH)))
        text = "\n".join(fens) + "\n"
        known = map(json.loads, run(["bitbase", "probe", "--fen", "-", "--bitbases", bitbases, "--json"], text))
        clear = [result for result in known if has_one_solution(result) and result["fen"] not in seen]
        found = []
        for result, line in zip(clear, analyze([result["fen"] for result in clear], "--nodes", str(SHORT), "--threads", "1")):
            value, best = result["value"], result["moves"][0]["move"]
            if line["lines"][0]["pv"][0] != best and count[value] < PROVEN:
                count[value] += 1
                name = kind_of_ending(read(result["fen"]), value)
                found.append({"fen": result["fen"], "best": best, "stands": True, "kind": name, "proven": value})
        seen.update(verdict["fen"] for verdict in found)
        add(folder, found)
        progress.step(len(found), sum(count.values()))


def random_ending(source):
    """A random ending."""
    squares = source.sample(range(1, 51), PIECES)
    kings = source.choice(KINGS)
    ours = source.randint(2, PIECES - 2)
    pieces = {}
    for index, square in enumerate(squares):
        piece = "w" if index < ours else "b"
        # Men do not stand where they are promoted.
        is_promoted = square <= 5 if piece == "w" else square >= 46
        pieces[square] = piece.upper() if is_promoted or source.randrange(PIECES) < kings else piece
    return source.choice("WB"), pieces


def has_one_solution(result):
    """Whether one of several moves alone wins or holds the draw, and is not a capture."""
    values = [move["value"] for move in result["moves"]]
    is_best = len(values) >= MIN_MOVES and None not in values and values[0] != "loss" and values[0] != values[1]
    return is_best and "x" not in result["moves"][0]["move"]


def kind_of_ending(position, value):
    """What sort of ending it is: a draw with less material, a race of men, or neither."""
    if value == "draw":
        return "fortress" if material(position, position[0]) < 0 else "ending"
    return "ending" if any(piece.isupper() for piece in position[1].values()) else "breakthrough"


def verdicts(folder):
    """All verdicts so far."""
    return [json.loads(line) for line in open(os.path.join(folder, "verdicts.jsonl"))]


def add(folder, new):
    """Adds verdicts."""
    with open(os.path.join(folder, "verdicts.jsonl"), "a") as file:
        file.writelines(json.dumps(verdict) + "\n" for verdict in new)


def confirm(folder, positions, nodes):
    """Adds verdicts on positions: whether the longest searches agree on the best move."""
    known = {verdict["fen"] for verdict in verdicts(folder)}
    todo = [position for position in positions if position["fen"] not in known]
    progress, found = Progress("positions", len(todo)), 0
    for position in todo:
        verdict = judged(position["fen"], position["best"], nodes)
        add(folder, [verdict])
        found += verdict["stands"]
        progress.step(1, found)


def judged(fen, best, nodes):
    """The verdict on a position: its best move, whether it stands, and the kind of the position."""
    # Most of the positions that do not stand fail in a tenth of the search already.
    for factor in (0.1, 1, 10):
        limits = ["--nodes", str(int(nodes * factor)), "--multipv", "2", "--threads", "1"]
        [result] = analyze([fen], *limits, size=24)
        if not is_clear(result, MARGIN if factor >= 1 else EARLY_MARGIN):
            break
        found = result["lines"][0]["pv"][0]
        if found == best and factor >= 1:
            # Another move than the candidate's may be the one that a short search finds.
            [short] = analyze([fen], "--nodes", str(SHORT), "--threads", "1")
            stands = short["lines"][0]["pv"][0] != best
            return {"fen": fen, "best": best, "stands": stands, "kind": kind(fen, result["lines"])}
        # A longer search has to confirm another move.
        best = found
    return {"fen": fen, "best": best, "stands": False}


def material(position, side):
    """The material of a side minus that of the other, in men; a king counts three."""
    worth = lambda piece: 3 if piece.isupper() else 1
    own = sum(worth(piece) for piece in position[1].values() if piece.upper() == side)
    return 2 * own - sum(worth(piece) for piece in position[1].values())


def read(text):
    """The position of a FEN as the program writes it."""
    side, *parts = text.split(":")
    pieces = {}
    for part in parts:
        for square in filter(None, part[1:].split(",")):
            is_king = square.startswith("K")
            first, _, last = square.lstrip("K").partition("-")
            for number in range(int(first), int(last or first) + 1):
                pieces[number] = part[0].upper() if is_king else part[0].lower()
    return side, pieces


def kind(fen, lines):
    """What sort of position it is, as its best line shows."""
    position = read(fen)
    side = position[0]
    before = material(position, side)
    line = lines[0]
    lowest, is_promoting, now = before, False, position
    for index, move in enumerate(line["pv"][:16]):
        kings = sum(piece == side for piece in now[1].values())
        now = after(now, move)
        is_promoting |= index > 0 and sum(piece == side for piece in now[1].values()) > kings
        lowest = min(lowest, material(now, side))
    if lowest < before and "-" in line["pv"][0] and line["score"] - lines[1]["score"] >= 0.8:
        return "combination"
    if abs(line["score"]) < 0.05 and before < 0:
        return "fortress"
    if is_promoting:
        return "breakthrough"
    return "ending" if len(position[1]) <= 14 else "quiet"


def main():
    """Runs all steps that are not done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--count", type=int, default=260, help="candidates to look for (default: 260)")
    parser.add_argument("--nodes", type=int, default=250_000_000, help="of the confirming search (default: 250 million)")
    parser.add_argument("--bitbases", help="folder of bitbases for proofs (default: no proofs)")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    for name in ("candidates", "verdicts"):
        path = os.path.join(arguments.folder, f"{name}.jsonl")
        if not os.path.exists(path):
            committed = "suite.jsonl" if name == "candidates" else "suite_verdicts.jsonl"
            shutil.copy(os.path.join(os.path.dirname(__file__), committed), path)
    if arguments.bitbases:
        prove(arguments.folder, arguments.bitbases)
    confirm(arguments.folder, candidates(arguments.folder, arguments.count), arguments.nodes)
    stand = [verdict for verdict in verdicts(arguments.folder) if verdict["stands"]]
    with open(os.path.join(arguments.folder, "suite.txt"), "w") as file:
        for verdict in sorted(stand, key=lambda verdict: (verdict["kind"], verdict["fen"])):
            move = re.sub(r"^(\d+x\d+)x.*", r"\1", verdict["best"])
            print(f"# {verdict['kind']}\n{verdict['fen']};bm {move}", file=file)


if __name__ == "__main__":
    main()
