// What people do every day on the page, with either engine: each of these was once a fault.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

/** A Canadian game of 200 plies. */
const LONG_GAME = fs.readFileSync(path.join(__dirname, "long_game.pdn"), "utf8");

const GAME = `[White "Anne"]
[Black "Ben"]

1. 32-28 {quiet} 19-23 2. 28x19 14x23 3. 37-32 (3. 33-28 23x32 {a side line} 4. 37x28) 3... 10-14
4. 41-37 14-19 1-1`;

/** The long game up to a move number. */
const upTo = (number) => `${LONG_GAME.split(` ${number + 1}.`)[0].split(`\n${number + 1}.`)[0]} *`;

/** Reviews end, however long the game is. */
async function reviewsLongGames({ page, table }) {
  for (const plies of [80, 200]) {
    await table.read(upTo(plies / 2));
    await table.until((plies) => document.querySelectorAll("#moves .move").length === plies, plies);
    await page.selectOption("#review-time", { label: "quick" });
    await page.click("#review");
    await page.waitForSelector("#players:not([hidden])", { timeout: 1000 * plies });
    await table.until(() => document.querySelector("#curve .path").points.length > 70);
    assert.ok(await page.locator("#trouble").isHidden());
  }
}

/** A file of 6 MB is opened; a larger one than the page promises is not. */
async function opensLargeFiles({ page, table }) {
  const buffer = Buffer.from(`${GAME}\n\n`.repeat(6e6 / GAME.length + 1));
  const file = { name: "many.pdn", mimeType: "text/plain" };
  await table.tab("games");
  await page.setInputFiles("#file", { ...file, buffer });
  await page.click("#game-list li button");
  await table.says("names", "Anne – Ben");
  await table.until(() => document.getElementById("collection-progress").hidden);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "manoury-page-"));
  const large = path.join(folder, "large.pdn");
  fs.writeFileSync(large, "");
  fs.truncateSync(large, 65 * 2 ** 20);
  await page.setInputFiles("#file", large);
  await table.says("notes", "large.pdn is larger than 64 MB");
  fs.rmSync(folder, { recursive: true });
  await page.setInputFiles("#file", { ...file, buffer: Buffer.from(" \n") });
  await table.says("notes", "There is nothing to load");
}

/** What the page shows of its game. */
const shown = async ({ page, table }) => ({
  names: await table.text("names"),
  moves: await table.text("moves"),
  comment: await table.text("comment"),
  status: await table.text("status"),
  now: await page.locator(".move.now").innerText(),
});

/** A game comes back after a reload, and in another tab after the browser was closed. */
async function keepsTheGame({ context, page, table }, address) {
  await table.read(GAME);
  await page.locator("#moves").getByRole("button", { name: "23x32" }).click();
  await table.says("comment", "a side line");
  const before = await shown({ page, table });
  const isSame = async (page) => {
    await page.waitForFunction(() => document.querySelector(".move.now"));
    await page.waitForFunction(() => document.getElementById("comment").textContent);
    assert.deepEqual(await shown({ page, table: new table.constructor(page) }), before);
  };
  await page.reload();
  await isSame(page);
  const other = await context.newPage();
  await other.goto(address);
  await isSame(other);
  await other.close();
  // Also if the page is left before the link to the game is ready.
  await page.evaluate(() => {
    globalThis.CompressionStream = class extends TransformStream {
      constructor() {
        super({ flush: () => new Promise(() => {}) });
      }
    };
  });
  const isAtStart = () => document.getElementById("status").textContent === "White to move";
  await page.keyboard.press("Home");
  await table.until(isAtStart);
  await page.reload();
  await table.says("moves", "23x32");
  await table.until(isAtStart);
}

/** A game that is opened is not played on by the opponent. */
async function loadingEndsPlay({ page, table }) {
  await table.tab("play");
  await page.selectOption("#level", "14");
  await table.play();
  await table.click(32, 28);
  // The engine thinks, or has already answered from its book.
  await table.until(() =>
    /^1\. 32-28\..*Black to move|^1\.\.\. /.test(document.getElementById("status").textContent),
  );
  await table.read("1. 33-29 *");
  await table.says("moves", "33-29");
  await page.keyboard.press("End");
  await table.says("status", "1. 33-29");
  await page.waitForTimeout(1500);
  assert.match(await table.text("status"), /^1\. 33-29\. Black to move/);
  assert.ok(await page.locator("#play-game").evaluate(({ hidden }) => hidden));
}

/** The engine replies, also if somebody switches the analysis and looks back while it thinks. */
async function repliesAnyway({ page, table }) {
  // A reply from the book follows at once.
  const moves = (count) =>
    table.until((count) => document.querySelectorAll("#moves .move").length >= count, count);
  await table.tab("play");
  await page.selectOption("#level", "14");
  await table.play();
  await table.click(35, 30);
  await moves(1);
  await page.keyboard.press("a");
  await moves(2);
  await page.keyboard.press("a");
  await table.says("status", "1... ");
  await page.locator(".square.movable").first().click();
  await page.locator('.square[aria-label$="reached"]').first().click();
  await moves(3);
  await page.keyboard.press("ArrowLeft");
  await moves(4);
  await page.keyboard.press("End");
  await table.says("status", "2... ");
  await page.click("#play-end");
}

/** Arrows and wheel walk the moves, also after a move by mouse; the cursor has its own keys. */
async function walks({ page, table }) {
  await table.click(32, 28);
  await table.says("status", "1. 32-28");
  await page.keyboard.press("ArrowLeft");
  await table.says("status", "White to move");
  await page.keyboard.press("ArrowRight");
  await table.says("status", "1. 32-28");
  await page.locator("#board").hover();
  await page.mouse.wheel(0, -100);
  await table.until(() => document.getElementById("status").textContent === "White to move");
  await page.mouse.wheel(0, 100);
  await table.says("status", "1. 32-28");
  await table.square(28).focus();
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "29");
  await page.keyboard.press("?");
  await table.says("key-list", "Move between the squares of the board");
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#key-list").isHidden());
}

/** A link carries the whole game and the place in it. */
async function sharesTheGame({ context, page, table }) {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await table.read(GAME);
  await page.locator("#moves").getByRole("button", { name: "23x32" }).click();
  await table.says("comment", "a side line");
  const before = await shown({ page, table });
  await table.tab("games");
  await page.click("#link");
  await table.says("notes", "Copied");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.length < 1000, link);
  // Also where the page has no access to the clipboard.
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  });
  await page.click("#copy");
  await page.waitForFunction(async () =>
    (await navigator.clipboard.readText()).includes('[White "Anne"]'),
  );
  // In another tab, the own game comes back by an undo, and on the next visit.
  await table.read("1. 33-29 *");
  await table.says("moves", "33-29");
  const other = await context.newPage();
  const there = new table.constructor(other);
  await other.goto(link);
  await other.waitForFunction(() => document.getElementById("comment").textContent);
  assert.deepEqual(await shown({ page: other, table: there }), before);
  await other.close();
  const next = await context.newPage();
  await next.goto(page.url().split("#")[0]);
  await new table.constructor(next).says("moves", "33-29");
  await next.goto("about:blank");
  await next.goto(link);
  await new table.constructor(next).says("names", "Anne – Ben");
  await next.click("#undo");
  await new table.constructor(next).says("moves", "33-29");
  await next.close();
  // Pasted, it opens the game too; one of another site does nothing.
  await table.read("https://lidraughts.org/abcdWXYZ#12");
  await table.says("notes", "The link is damaged");
  assert.match(await table.text("moves"), /33-29/);
  await table.read(link);
  await table.says("names", "Anne – Ben");
  // A damaged one is told, and changes nothing.
  await page.evaluate(() => document.getElementById("notes").replaceChildren());
  await page.goto(`${link.slice(0, -20)}xx`);
  await table.says("notes", "The link is damaged");
  assert.match(await table.text("names"), /Anne – Ben/);
  await page.goto("about:blank");
  await page.goto(`${link.slice(0, -20)}xx`);
  await table.says("notes", "The link is damaged");
  await table.says("names", "Anne – Ben");
  // A link is followed even if the page saves its last change just then, which sets the address.
  await page.evaluate((link) => {
    const last = location.href;
    location.href = link;
    history.replaceState(null, "", last);
  }, link);
  await table.says("names", "Anne – Ben");
}

const middle = async (square) => {
  const { x, y, width, height } = await square.boundingBox();
  return [x + width / 2, y + height / 2];
};

async function drag({ page, table }, from, to) {
  await page.mouse.move(...(await middle(table.square(from))));
  await page.mouse.down();
  await page.mouse.move(...(await middle(table.square(to))), { steps: 5 });
  await page.mouse.up();
}

/** The board of the editor is turned, changed and dragged on. */
async function setsUpWithCare({ page, table }) {
  const drawn = () => page.locator("#pieces use").count();
  await table.click(32, 28);
  await table.says("status", "1. 32-28");
  await table.tab("setup");
  await page.click("#setup-clear");
  await page.getByRole("radio", { name: "white man" }).click();
  await table.click(32);
  await page.getByRole("radio", { name: "black king" }).click();
  await drag({ page, table }, 32, 28);
  assert.equal(await page.locator(".square[aria-label*=white]").getAttribute("data-square"), "28");
  await page.click("#flip");
  assert.equal(await drawn(), 1);
  // The buttons below the board do not lead to another position.
  const fen = await table.fen();
  await page.click("#previous");
  await page.waitForTimeout(200);
  assert.equal(await table.fen(), fen);
  assert.match(await page.locator("#ground use").getAttribute("href"), /flipped/);
  await page.click("#flip");
  await page.selectOption("#variant", "russian");
  await table.until(() => document.querySelectorAll("#pieces use").length === 24);
  await page.click("#setup-clear");
  await table.click(32, 5);
  await page.getByRole("radio", { name: "white man" }).click();
  await table.click(18);
  // The FEN of a changed position does not take away the selection of a text about to be replaced.
  await table.until(() => document.getElementById("fen").value.startsWith("W:W18:"));
  const shown = await page.evaluate(() => {
    const [side, fen] = ["setup-side", "fen"].map((id) => document.getElementById(id));
    side.selectedIndex = 1;
    side.dispatchEvent(new Event("change", { bubbles: true }));
    fen.select();
    return fen.value;
  });
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => getSelection().toString()), shown);
  await page.locator("#fen").blur();
  await table.until(() => document.getElementById("fen").value.startsWith("B:"));
  // Of two changes in quick succession the last one counts.
  const sides = (indices) =>
    page.evaluate((indices) => {
      const side = document.getElementById("setup-side");
      for (side.selectedIndex of indices) side.dispatchEvent(new Event("change"));
    }, indices);
  await sides([0, 1]);
  await page.waitForTimeout(300);
  assert.match(await table.fen(), /^B:/);
  await sides([1, 0]);
  await table.until(() => document.getElementById("fen").value.startsWith("W:"));
  // A wrong FEN is not passed over, and the position is still there after a look at another tab.
  await page.fill("#fen", "W:W18:B77");
  await table.says("fen-error", "not on the board");
  await page.click("#setup-done");
  assert.match(await table.text("fen-error"), /not on the board/);
  assert.equal(await page.inputValue("#fen"), "W:W18:B77");
  assert.equal(await drawn(), 3);
  await table.tab("play");
  await table.until(() => document.querySelectorAll("#pieces use").length === 24);
  await table.tab("setup");
  await table.fenIs("W:W18:BK5,K32");
  await page.click("#setup-done");
  await table.until(() => document.getElementById("panel-setup").hidden);
  await table.fenIs("W:W18:BK5,K32");
}

/** A wrong position is told at its field while it is typed, in the language of the page. */
async function checksPositions({ page, table }) {
  await table.tab("setup");
  await page.fill("#fen", "W:W60:B1");
  await table.says("fen-error", "column 4: square 60 is not on the board (1 to 50)");
  for (const [language, word, fen, error] of [
    ["fr", "Terminé", "W:W60:B2", "la case 60 n'est pas sur le damier (1 à 50)"],
    ["nl", "Klaar", "W:W5:B2", "een witte schijf op zijn promotieveld 5"],
    ["en", "Done", "W:W45:B2", ""],
  ]) {
    await table.language(language);
    // A change of language shows the position again, in its field too.
    await table.says("setup-done", word);
    await page.fill("#fen", fen);
    await table.says("fen-error", error);
  }
  await table.until(() => document.getElementById("fen-error").textContent === "");
  await page.keyboard.press("Tab");
  await table.says("status", "White to move");
  await table.fenIs("W:W45:B2");
}

/** Turning the board leaves the search alone; its lines are whole and in the language. */
async function searchesOn({ page, table }) {
  await page.click("#analyse");
  const depth = (least) =>
    table.until(
      (least) =>
        Number(/ (\d+),/.exec(document.getElementById("effort").textContent)?.[1]) >= least,
      least,
    );
  await depth(9);
  const sent = [];
  await page.exposeFunction("noteSent", (line) => sent.push(line));
  await page.evaluate(() => {
    for (const kind of [Worker, WebSocket]) {
      const name = kind === Worker ? "postMessage" : "send";
      const usual = kind.prototype[name];
      kind.prototype[name] = function (line) {
        window.noteSent(String(line));
        const isRefused = window.refusesLines && line.includes('"ask":"lines"');
        if (isRefused) window.refusesLines = false;
        return usual.call(this, isRefused ? line.replace('"lines"', '"nothing"') : line);
      };
    }
    window.refusesLines = true;
  });
  // A refused request is not the last one.
  await table.until(() => !window.refusesLines);
  const effort = await table.text("effort");
  await table.until((old) => document.getElementById("effort").textContent !== old, effort);
  await page.click("#flip");
  await page.waitForTimeout(300);
  assert.deepEqual(
    sent.filter((line) => /^(go|stop|pos)/.test(line)),
    [],
  );
  assert.ok((await page.locator("#arrows .head").count()) > 0);
  await page.click("#flip");
  assert.ok((await page.locator("#lines .unbroken").count()) > 5);
  assert.doesNotMatch(await table.text("effort"), /0\.0|–/);
  await table.language("fr");
  await table.until(() =>
    /^[+-]?\d,\d\d$/.test(document.querySelector("#lines button")?.textContent),
  );
  await table.language("en");
  // A win by the bitbases: its distance in moves.
  await table.read("W:WK28:BK5");
  await table.says("position-info", "Bitbases: won for White, in 2 moves");
  await table.says("lines", "White wins in 2 moves");
  await page.click("#analyse");
}

/** A move taken back is gone with the answer to it; a new line is the main line. */
async function takesBack({ page, table }) {
  const answered = (number) =>
    table.until(
      (number) =>
        new RegExp(`^${number}\\.\\.\\. .*White to move`).test(
          document.getElementById("status").textContent,
        ),
      number,
    );
  await table.tab("play");
  await page.selectOption("#level", "3");
  await page.selectOption("#side-choice", "white");
  await table.play();
  await table.click(32, 28);
  await answered(1);
  await page.click("#play-back");
  await table.until(() => document.getElementById("status").textContent === "White to move");
  await page.waitForTimeout(500);
  assert.equal(await table.text("moves"), "");
  await table.click(33, 28);
  await answered(1);
  await page.click("#delete");
  await table.until(() => document.getElementById("status").textContent === "White to move");
  await table.click(34, 29);
  await answered(1);
  await page.keyboard.press("Home");
  await table.click(31, 27);
  await answered(1);
  assert.match(await table.text("moves"), /^1\.\s+31-27[^]*1\. 34-29/);
  // From here, as Black: the names change sides, and the engine moves.
  await page.click("#play-end");
  await page.selectOption("#side-choice", "black");
  await page.click("#play-here");
  await table.says("names", "Manoury, level 3 – You");
  await table.until(() =>
    /^2\. .*Black to move/.test(document.getElementById("status").textContent),
  );
  await page.click("#play-end");
  await page.selectOption("#side-choice", "white");
}

/** Another game drops moves only if the player agrees. */
async function asksBeforeDropping({ page, table }) {
  await table.click(32, 28);
  await table.says("status", "1. 32-28");
  table.accepts = false;
  await page.selectOption("#variant", "russian");
  await page.waitForTimeout(300);
  assert.equal(await page.inputValue("#variant"), "international");
  assert.match(await table.text("status"), /^1\. 32-28/);
  table.accepts = true;
  await table.choose("russian");
}

/** The first click on the button of the theme changes the theme; buttons do not touch. */
async function looks({ page }) {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await page.click("#theme");
  assert.notEqual(await ground(), before);
  await page.click("#theme");
  assert.equal(await ground(), before);
  await page.setViewportSize({ width: 390, height: 844 });
  const boxes = await page.$$eval("#side .row button:not([hidden])", (buttons) =>
    buttons
      .map((button) => button.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ x, y, right, bottom }) => ({ x, y, right, bottom })),
  );
  const near = (one, other) =>
    one.x < other.right + 3 &&
    other.x < one.right + 3 &&
    one.y < other.bottom + 3 &&
    other.y < one.bottom + 3;
  boxes.forEach((one, index) =>
    boxes.slice(index + 1).forEach((other) => assert.ok(!near(one, other))),
  );
  await page.setViewportSize({ width: 1280, height: 720 });
}

const everyday = {
  opensLargeFiles,
  keepsTheGame,
  loadingEndsPlay,
  repliesAnyway,
  walks,
  sharesTheGame,
  setsUpWithCare,
  checksPositions,
  searchesOn,
  takesBack,
  asksBeforeDropping,
  looks,
  reviewsLongGames,
};

/** Runs all, or those named in the environment. */
async function runEveryday(opened, address) {
  const only = process.env.MANOURY_EVERYDAY?.split(",");
  for (const [name, test] of Object.entries(everyday)) {
    if (only && !only.includes(name)) continue;
    const began = performance.now();
    await opened.table.startFresh(address);
    await test(opened, address);
    console.log(`${name}: ${(performance.now() - began).toFixed(0)} ms`);
  }
}

module.exports = { runEveryday, GAME };
