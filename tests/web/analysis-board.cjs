// A client that works as lidraughts' analysis board does: it sends lines without waiting for answers,
// takes `info` lines of depth 6 and more by a strict pattern, stops a search when somebody plays a
// move, and takes an engine that has not stopped after a second for dead.

/**
 * A person walks through games while the board analyses. Runs here or in a page, so everything it
 * needs is inside.
 *
 * @param {(hear: (line: string) => void) => (line: string) => void} boot starts an engine
 * @returns {Promise<object[]>} for each visited position: game, moves, and what the board has shown
 */
async function walk(boot) {
  const INFO =
    /^info depth=(\d+) mean-depth=\S+ score=(\S+) nodes=(\d+) (?:time=(\S+) )?(?:nps=\S+ )?pv="?([0-9\-xX\s]+)"?/;
  const LEAST_DEPTH = 6;
  const PATIENCE = 1000;
  const GAMES = {
    normal: ["32-28", "19-23", "28x19x23", "14x23x19", "37-32"],
    bt: ["34-29", "19-23", "40-34", "14-19"],
    losing: ["33-28", "18-22"],
    frisian: ["34-29", "19-23"],
  };
  const START = `W${"b".repeat(20)}${"e".repeat(10)}${"w".repeat(20)}`;

  class Board {
    #send;
    #shown = null;
    #stopped = null;

    constructor(variant) {
      this.#send = boot((line) => this.#hear(String(line)));
      for (const line of [
        "hub",
        "set-param name=tt-size value=18",
        `set-param name=variant value=${variant}`,
        "set-param name=bb-size value=3",
        "init",
      ])
        this.#send(line);
    }

    #hear(line) {
      if (line.startsWith("done")) this.#stopped?.();
      const found = INFO.exec(line);
      if (!found || Number(found[1]) < LEAST_DEPTH) return;
      const [, depth, score, nodes, time, pv] = found;
      const numbers = [depth, score, nodes, time].map(Number);
      if (numbers.some(Number.isNaN)) throw new Error(line);
      this.#shown = { depth: numbers[0], score: numbers[1], pv: pv.trim().split(" ") };
    }

    /** Analyses a position until something is shown, and for at least some milliseconds. */
    async look(position, moves, level, least) {
      this.#shown = null;
      this.#send(`pos pos=${position}${moves.length ? ` moves="${moves.join(" ")}"` : ""}`);
      for (const line of [...level, "go analyze"]) this.#send(line);
      const began = performance.now();
      while (performance.now() < began + least || !this.#shown) {
        if (performance.now() > began + 20 * PATIENCE) throw new Error(`nothing shown: ${moves}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return this.#shown;
    }

    stop() {
      return new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error("it does not stop")), PATIENCE);
        this.#stopped = resolve;
        this.#send("stop");
      });
    }

    /** Analyses until the search ends by itself. */
    async finish(position, level) {
      const ended = new Promise((resolve) => (this.#stopped = resolve));
      await this.look(position, [], level, 0);
      await ended;
      return this.#shown;
    }
  }

  const visits = [];
  for (const [variant, moves] of Object.entries(GAMES)) {
    const board = new Board(variant);
    // There and back again.
    const walked = [...moves.keys(), ...[...moves.keys()].reverse()];
    for (const played of walked) {
      const line = moves.slice(0, played);
      const shown = await board.look(START, line, ["level infinite"], 20);
      await board.stop();
      visits.push({ variant, moves: line, ...shown });
    }
    const limited = ["level move-time=90", "level depth=10"];
    visits.push({ variant, moves: [], last: true, ...(await board.finish(START, limited)) });
  }
  return visits;
}

/** What the visits must have shown. */
function check(assert, visits) {
  for (const visit of visits) {
    assert.ok(visit.depth >= 6 && visit.pv.length > 0, JSON.stringify(visit));
    assert.match(visit.pv[0], /^\d+([-x]\d+)+$/);
    if (visit.last) assert.equal(visit.depth, 10);
  }
  assert.equal(visits.filter(({ last }) => last).length, 4);
  assert.equal(visits.length, 30);
  console.log(`an analysis board: ${visits.length} positions`);
}

module.exports = { walk, check };
