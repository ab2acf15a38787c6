// The page's own logic, without a browser: the tree of moves, moving by clicks, PDN, clocks and the connection.

import assert from "node:assert/strict";
import fs from "node:fs";
import { mock } from "node:test";
import { Clock } from "../../src/page/clock.js";
import { Connection, HubClient } from "../../src/page/engine-client.js";
import { GameState } from "../../src/page/game-state.js";
import { NO_INPUT, addSquare, targets } from "../../src/page/move-input.js";
import { pdnOf } from "../../src/page/pdn.js";
import { errorText, useLanguage } from "../../src/page/texts.js";
import {
  SHARED,
  childOf,
  dataOf,
  endOf,
  lineThrough,
  newRoot,
  nagTexts,
  nodesFrom,
  pathTo,
  promote,
  remove,
  scoreOf,
  treeOf,
} from "../../src/page/tree.js";

/** A tree of the moves `1. a b` with `c` instead of `b`. */
function tree() {
  const root = newRoot();
  const a = childOf(root, { hub: "a", text: "a" }, "1.");
  const b = childOf(a, { hub: "b", text: "b" }, "1...");
  const c = childOf(a, { hub: "c", text: "c" }, "1...");
  return { root, a, b, c };
}

const names = (nodes) => nodes.map(({ text }) => text).join("");

{
  const { root, a, b, c } = tree();
  assert.equal(childOf(a, { hub: "b" }, "1..."), b, "a known move is not added again");
  assert.equal(names(pathTo(c)), "ac");
  assert.equal(names(lineThrough(a)), "ab");
  assert.equal(endOf(root), b);
  promote(c);
  assert.equal(names(lineThrough(root)), "ac");
  assert.equal(remove(c), a);
  assert.equal(endOf(root), b);
}

{
  const { root, c } = tree();
  Object.assign(c, { comments: ["good"], nags: [14], shapes: [{ from: 1, to: 2 }] });
  const [copy, ...rest] = nodesFrom(JSON.parse(JSON.stringify(dataOf(root))));
  assert.deepEqual(dataOf(copy), dataOf(root));
  assert.equal(rest.length, 3);
  assert.throws(() => nodesFrom([[-1, { comments: "no list" }]]), TypeError);
  assert.deepEqual(nagTexts({ nags: [1, 14] }), ["!", "$14"]);
}

{
  const { root, a, b, c } = tree();
  Object.assign(a, { strength: "!" });
  Object.assign(b, { nags: [14], comments: ["a } brace"] });
  c.before = ["or"];
  c.shapes = [{ from: 19, to: 19 }, { from: 5, to: 23 }];
  const game = { start: "", tags: [["White", 'A "B"']], result: "1-1", root };
  assert.equal(
    pdnOf(game),
    '[White "A \\"B\\""]\n\n1. a! b $14 { a ) brace } ( { or } 1... c { [%csl G19][%cal G0523] } ) 1-1\n',
  );
}

{
  // A review is written like that of `analyze --annotate`.
  const { root, a } = tree();
  root.score = "+0.20";
  a.score = "-0.35";
  a.verdict = { mark: "?", loss: 0.123, better: "1. d e 2. f", line: ["d"], notes: ["book"] };
  const text = pdnOf({ start: "", tags: [], result: "*", root }).replace(/\s+/g, " ");
  assert.equal(
    text,
    " 1. a? { [%eval -0.35] mistake costs 0.12 points leaves the book } " +
      "( 1. d { [%eval 0.20] } e 2. f ) 1... b ( 1... c ) * ",
  );
}

{
  const { root } = tree();
  const game = { start: "", tags: [["Result", "12-8"]], result: "*", root };
  assert.match(pdnOf(game), /\[Result "12-8"\]/, "a result of a whole match stays");
}

{
  // Arrows and circles of other programs are read, and shared in links.
  const comments = ["[%csl R8,B19] good [%eval 0.35]", "[%cal G3228,Y0523]"];
  const move = { hub: "a", text: "a", number: "1.", comments, lines: [] };
  const root = treeOf({ comments: ["[%csl G1]"], moves: [move] });
  const [a] = root.children;
  assert.deepEqual(root.shapes, [{ from: 1, to: 1, colour: "G" }]);
  assert.deepEqual(a.comments, ["good [%eval 0.35]"]);
  assert.deepEqual(a.shapes.map(({ from, to }) => [from, to]), [[8, 8], [19, 19], [32, 28], [5, 23]]);
  assert.deepEqual(nodesFrom(dataOf(root, SHARED), SHARED)[1].shapes, a.shapes);
  assert.match(pdnOf({ start: "", tags: [], result: "*", root }), /%csl R08,B19\]\[%cal\s+G3228,Y0523\]/);
  assert.throws(() => nodesFrom([[-1, { shapes: "no list" }]]), TypeError);
  assert.equal(scoreOf(a), "+0.35");
}

{
  const moves = [
    { from: 1, way: [5, 9] },
    { from: 1, way: [6, 9] },
    { from: 2, way: [7] },
  ];
  assert.equal(addSquare(moves, NO_INPUT, 2).from, 2);
  assert.deepEqual(addSquare(moves, addSquare(moves, NO_INPUT, 2), 7).move, moves[2]);
  const first = addSquare(moves, NO_INPUT, 1);
  assert.deepEqual(targets(first), [5, 9, 6]);
  assert.equal(addSquare(moves, first, 9).move, undefined, "two ways lead there");
  assert.deepEqual(addSquare(moves, first, 6).move, moves[1]);
  assert.equal(addSquare(moves, first, 1), NO_INPUT, "the piece is put down again");
}

{
  // A move chosen while a game is being restored stays chosen.
  const { root, a, b } = tree();
  /** @type {any} */
  const api = { request: async (_, { moves }) => ({ moves: [], number: `${moves.length}` }) };
  const state = new GameState(api);
  const restored = state.restore({ variant: "international", place: 0, nodes: dataOf(root) });
  const last = endOf(state.root);
  await Promise.all([restored, state.go(last)]);
  assert.equal(state.node, last);
  assert.equal(names(pathTo(state.node)), names([a, b]));
}

{
  // The increment is added once for each ply, and the clocks stand while there is no engine.
  const clock = new Clock();
  const times = { increment: 30, white: 60, black: 60 };
  clock.use(times);
  const near = (side, seconds) => assert.ok(Math.abs(clock.left(side) - seconds) < 1, side);
  clock.start("white", 0);
  clock.start("black", 1);
  near("white", 90);
  for (let again = 0; again < 3; again++) {
    clock.start("white", 0);
    clock.start("black", 1);
  }
  near("white", 90);
  near("black", 60);
  clock.pause();
  clock.start("white", 2);
  near("black", 90);
  const left = clock.left("white");
  const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
  await wait(20);
  assert.equal(clock.left("white"), left);
  clock.resume();
  await wait(20);
  clock.settle();
  assert.ok(times.white < left);
  clock.stop();
}

{
  // A connection that says nothing any more is lost.
  const sockets = [];
  class Socket {
    static OPEN = 1;
    readyState = 1;
    isAlive = true;
    constructor() {
      sockets.push(this);
    }
    send() {
      if (this.isAlive) this.onmessage({ data: "pong" });
    }
    close() {}
  }
  const storage = { getItem: () => null };
  const document = { querySelector: () => ({ getAttribute: () => "socket" }) };
  const location = { href: "http://localhost/" };
  Object.assign(globalThis, { WebSocket: Socket, document, location, localStorage: storage });
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const lost = [];
  const connection = new Connection({
    onOpen: () => {},
    onLine: () => {},
    onLost: (reason) => lost.push(reason),
  });
  connection.open();
  mock.timers.tick(60_000);
  assert.deepEqual(lost, []);
  sockets[0].isAlive = false;
  mock.timers.tick(20_000);
  assert.deepEqual(lost, ["engine_lost"]);
  mock.timers.tick(1000);
  assert.equal(sockets.length, 2);
  connection.close();
  mock.timers.reset();
}

{
  // Errors of the engine are in the language of the page.
  const document = { documentElement: {}, querySelectorAll: () => [] };
  const folder = new URL("../../src/page/", import.meta.url);
  const read = (name) => JSON.parse(fs.readFileSync(new URL(name, folder), "utf8"));
  Object.assign(globalThis, { document, fetch: async (name) => ({ json: () => read(name) }) });
  await useLanguage("fr");
  for (const [message, translated] of [
    [
      "line 1, column 4: 32-29: not legal here (read as variant international)",
      "ligne 1, colonne 4 : 32-29: coup illégal ici (lu comme variante international)",
    ],
    [
      "column 6: expected ',', ':' or the end, found '1'",
      "colonne 6 : ',', ':' ou la fin attendu, trouvé '1'",
    ],
    ["expected W or B and a list of squares, found the end", "W ou B et une liste de cases attendus, trouvé la fin"],
    ["expected ':', found the end", "':' attendu, trouvé la fin"],
    [
      "a null move; the rest of the variation is left out. unclosed comment",
      "un coup nul; la suite de la variante est omise. commentaire non fermé",
    ],
    [
      "32-29: not legal here; the rest of the game is kept as a comment",
      "32-29: coup illégal ici; le reste de la partie est gardé en commentaire",
    ],
    [
      "the Result tag says 2-0, but the moves end with 1-1",
      "la balise Result indique 2-0, mais les coups finissent par 1-1",
    ],
    ['unknown GameType "77"', 'GameType inconnu : "77"'],
    ["black, which is not to move, has no piece", "les Noirs, qui ne sont pas au trait, n'ont pas de pièce"],
    ["column 3: e4 is a light square", "colonne 3 : e4 est une case claire"],
    ["e9 is not on the board (a1 to h8)", "e9 n'est pas sur le damier (a1 à h8)"],
    ["square 60 is not on the board (1 to 50)", "la case 60 n'est pas sur le damier (1 à 50)"],
    [
      'unknown variant "12"; expected one of international, killer',
      'variante inconnue "12" ; attendu : international, killer',
    ],
  ])
    assert.equal(errorText(message), translated);
}

{
  // Lines that a search sends after it was superseded are dropped.
  const sent = [];
  const hub = new HubClient((line) => sent.push(line), assert.fail);
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const received = [];
  const search = (name) =>
    hub.search({
      position: `pos ${name}`,
      params: {},
      level: "infinite",
      mode: "analyze",
      onInfo: (line) => received.push(`${name}: ${line}`),
    });
  search("old");
  await settle();
  hub.receive("info depth=1");
  search("new");
  assert.equal(sent.at(-1), "stop");
  hub.receive("info depth=2");
  hub.receive("done move=32-28");
  await settle();
  hub.receive("info depth=3");
  assert.deepEqual(received, ["old: info depth=1", "new: info depth=3"]);
}

{
  // A move counts as played even if somebody looks back before the engine has described the position.
  const answers = [];
  const state = new GameState({ request: () => new Promise((resolve) => answers.push(resolve)) });
  const { root } = state;
  root.position = { moves: [], number: "1." };
  const events = [];
  state.addEventListener("played", ({ detail }) => events.push(detail.hub));
  const playing = state.play({ hub: "a", text: "a" });
  state.go(root);
  assert.deepEqual(events, []);
  answers.forEach((answer) => answer({ moves: [] }));
  await playing;
  assert.equal(state.node, root);
  assert.deepEqual(events, ["a"]);

  // Not if it is no longer part of the game: taken back, or in a game that was replaced.
  for (const leave of [() => state.remove(), () => state.startGame("international")]) {
    await state.go(root);
    const played = state.play({ hub: "b", text: "b" });
    leave();
    while (answers.length > 0) answers.splice(0).forEach((answer) => answer({ moves: [] }));
    await played;
    assert.deepEqual(events, ["a"]);
  }
}
