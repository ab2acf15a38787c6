#!/usr/bin/env python3
"""Plays games on short clocks with a slow and jumpy referee, and counts losses on time.

    scripts/clocks.py [--games N] [--at-once N] [--seed S] TIME ..

TIME is `60+0.1`, seconds for the game and for each move, or `80/5`, moves and the seconds for them, again
and again. The program plays both sides over Hub. Every request and reply is delayed by a random time
of up to 3 ms, one in fifty by up to 50 ms; all of that counts on the clock. Prints a row for each time:
games, moves, losses on time, the least time left after a move, and the mean share of the time that was
left at the end of a session, which the next one gets, or of the game. Rate and time left go to standard
error. MANOURY is the program.
"""

import argparse
import asyncio
import os
import random
import sys
import time

PROGRAM = os.environ.get("MANOURY", "target/release/manoury")
# A game without a result is adjudicated after this many moves of a side.
MOVES = 80


class Clock:
    """The clock of a side."""

    def __init__(self, text):
        self.moves, self.time, self.increment = None, 0.0, 0.0
        if "/" in text:
            moves, text = text.split("/")
            self.moves = int(moves)
        self.time, *increment = map(float, text.split("+"))
        self.increment = increment[0] if increment else 0.0
        self.left, self.played, self.least, self.unused = self.time, 0, self.time, []

    def level(self):
        """The Hub command for the next move."""
        moves = f" moves={self.moves - self.played % self.moves}" if self.moves else ""
        return f"level{moves} time={self.left:.3f} inc={self.increment:.3f}"

    def press(self, used):
        """Takes the time of a move; returns whether there was enough."""
        self.left -= used
        self.least = min(self.least, self.left)
        if self.left < 0:
            return False
        self.left += self.increment
        self.played += 1
        if self.moves and self.played % self.moves == 0:
            self.unused.append(self.left / self.time)
            self.left += self.time
        return True


async def delay():
    """Waits as long as a busy referee needs for a line."""
    await asyncio.sleep(random.random() * (0.05 if random.random() < 0.02 else 0.003))


async def engine():
    """Starts the program and waits until it is ready."""
    process = await asyncio.create_subprocess_exec(
        PROGRAM, "hub", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    process.stdin.write(b"hub\n")
    await read(process, "wait")
    process.stdin.write(b"set-param name=threads value=1\nset-param name=tt-size value=18\ninit\n")
    await read(process, "ready")
    return process


async def read(process, word):
    """Skips lines until one starts with `word`; returns that one."""
    while line := (await process.stdout.readline()).decode():
        if line.startswith(word):
            return line
    raise RuntimeError("the program ended")


async def game(text):
    """Plays a game; returns the clocks of both sides, and whether one lost on time."""
    engines = [await engine(), await engine()]
    clocks = [Clock(text), Clock(text)]
    moves, is_lost = [], False
    for process in engines:
        process.stdin.write(b"new-game\n")
    while not is_lost and clocks[1].played < MOVES:
        side = len(moves) % 2
        process, clock = engines[side], clocks[side]
        played = f' moves="{" ".join(moves)}"' if moves else ""
        began = time.monotonic()
        await delay()
        start = "W" + "b" * 20 + "e" * 10 + "w" * 20
        process.stdin.write(f"pos pos={start}{played}\n{clock.level()}\ngo think\n".encode())
        line = await read(process, "done")
        await delay()
        is_lost = not clock.press(time.monotonic() - began)
        move = line.partition("move=")[2].split()
        if not move:
            break
        moves.append(move[0].strip('"'))
    for process in engines:
        process.stdin.write(b"quit\n")
        await process.wait()
    return clocks, is_lost


async def match(text, games, at_once):
    """Plays the games of a time control and prints their row."""
    gate, done, began = asyncio.Semaphore(at_once), 0, time.monotonic()

    async def one():
        nonlocal done
        async with gate:
            result = await game(text)
        done += 1
        rate = done / (time.monotonic() - began)
        left = (games - done) / rate / 60
        print(f"{text}: {done} of {games} games, {rate:.2f} a second, {left:.0f} min left", file=sys.stderr)
        return result

    results = await asyncio.gather(*[one() for _ in range(games)])
    clocks = [clock for pair, _ in results for clock in pair]
    unused = [share for clock in clocks for share in (clock.unused if clock.moves else [clock.left / clock.time])]
    moves = sum(clock.played for clock in clocks)
    least = min(clock.least for clock in clocks)
    share = 100 * sum(unused) / max(len(unused), 1)
    lost = sum(is_lost for _, is_lost in results)
    print(f"| {text} | {games} | {moves} | {lost} | {least:.3f} | {share:.1f} % |", flush=True)


def main():
    """Plays all matches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", nargs="+", metavar="TIME")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--at-once", type=int, default=2, help="games at once (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the delays (default: 1)")
    options = parser.parse_args()
    random.seed(options.seed)
    print("| time | games | moves | lost on time | least left, s | left at the end |\n| --- | --- | --- | --- | --- | --- |")
    for text in options.times:
        asyncio.run(match(text, options.games, options.at_once))


if __name__ == "__main__":
    main()
