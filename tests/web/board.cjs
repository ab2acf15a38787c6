// The page in a browser, as people use it: by pointer, by keyboard, without a network.
//
// Arguments: the folder of the files, Chromium, and the part to run: `board` or `everyday`. Needs axe-core
// beside playwright-core.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const { accessible } = require("./accessible.cjs");
const { run } = require("./browser.cjs");
const { runEveryday } = require("./everyday.cjs");
const { runFiles } = require("./files.cjs");
const { promises } = require("./promises.cjs");
const { open, openIn } = require("./table.cjs");

const [, , folder, browserPath, part] = process.argv;

/** A game with a side line. */
const GAME = `[White "Anne"]
[Black "Ben"]

1. 32-28 19-23 2. 28x19 14x23 3. 37-32 (3. 33-28 23x32 {a side line} 4. 37x28) 3... 10-14
4. 41-37 14-19 1-1`;

/** A game whose first move gives a man away, and with it the game. */
const FAULT = `[White "Carla"]
[Black "Dora"]
[FEN "W:W31,45,50:B1,2,22"]

1. 31-27 22x31 2. 45-40 31-36 0-2`;

/** Somebody who plays any move against level 3, until the game is over. */
async function wholeGame({ page, table }) {
  await table.tab("play");
  await page.selectOption("#level", "3");
  await table.play();
  let random = 1;
  const anyOf = (list) => list[(random = (random * 48271) % 2147483647) % list.length];
  const numbers = (selector) =>
    page.$$eval(selector, (squares) => squares.map(({ dataset }) => Number(dataset.square)));
  const isOver = /wins|Draw/;
  let plies = 0;
  for (; plies < 200; plies++) {
    await table.until(() =>
      /White to move|wins|Draw/.test(document.getElementById("status").textContent),
    );
    if (isOver.test(await table.text("status"))) break;
    const before = await table.fen();
    await table.click(anyOf(await numbers(".square.movable")));
    // A capture may need several squares.
    while (
      (await table.fen()) === before &&
      (await numbers('.square[aria-label$="reached"]')).length > 0
    ) {
      await table.click(anyOf(await numbers('.square[aria-label$="reached"]')));
      await page.waitForTimeout(20);
    }
    await table.until((before) => document.getElementById("fen").value !== before, before);
  }
  console.log("a game against level 3:", plies, await table.text("status"));
  assert.match(await table.text("status"), isOver);
  assert.ok(plies > 10);
  assert.match(await table.text("names"), /You – Manoury, level 3 \d-\d/);
}

/** Three lines with arrows, which go on with the position. */
async function analyses({ page, table }) {
  await page.selectOption("#line-count", "3");
  await page.click("#analyse");
  await table.until(() => document.querySelectorAll("#lines li").length === 3);
  await table.until(
    () => Number(/depth (\d+)/.exec(document.getElementById("effort").textContent)?.[1]) > 8,
  );
  assert.equal(await page.locator("#arrows .head").count(), 3);
  assert.match(await page.locator("#bar").getAttribute("aria-label"), /White's chances: \d+%/);
  await accessible(page, "analysis");
  await page.locator("#lines button").first().click();
  await table.says("status", "Black to move");
  await table.until(() => document.querySelector("#lines li")?.textContent.includes("1..."));
  await page.click("#analyse");
  assert.equal(await page.locator("#analyse").getAttribute("aria-pressed"), "false");
}

/** A game from text, its side line, its review, and the text of it again. */
async function reads({ page, table }) {
  await table.read(GAME);
  await table.says("names", "Anne – Ben");
  await page.locator("#moves").getByRole("button", { name: "33-28" }).click();
  await page.keyboard.press("ArrowRight");
  await table.says("comment", "a side line");
  assert.match(await table.text("status"), /3\.\.\. 23x32/);
  const download = page.waitForEvent("download");
  await table.tab("games");
  await page.click("#save");
  const saved = fs.readFileSync(await (await download).path(), "utf8");
  assert.match(saved, /\[White "Anne"\][^]*\( 3\. 33-28 23x32 \{ a side line \} 4\. 37x28\s+\)/);

  await table.read(`${GAME}\n\n${FAULT}`);
  await page.getByRole("button", { name: "Carla – Dora 0-2" }).click();
  await table.says("names", "Carla – Dora 0-2");
  await page.selectOption("#review-time", { label: "quick" });
  await page.click("#review");
  await page.waitForSelector("#players:not([hidden])");
  assert.match(
    await table.text("players"),
    /White\s+\S+ %\s+0\s+0\s+1\s+Black\s+\S+ %\s+0\s+0\s+0/,
  );
  assert.equal(await page.locator("#moves .fault").first().innerText(), "??");
  // Its mark is taken away, and comes back.
  await page.keyboard.press("ArrowRight");
  await table.says("status", "1. 31-27");
  await page.click("#annotate");
  await page.getByRole("button", { name: "no mark", exact: true }).click();
  await page.click("#move-form .main");
  await table.until(() => !document.querySelector("#moves .fault"));
  await page.click("#undo");
  await page.waitForSelector("#moves .fault");
  await page.keyboard.press("Home");
  await accessible(page, "a review");
  await page.click("#next");
  await table.says("comment", "Better: ");
  // A click plays the better line, as a side line.
  await page.click("#comment .better");
  await page.waitForSelector("#moves .side-line .move.now");
  await page.keyboard.press("Control+z");
  await table.until(() => !document.querySelector("#moves .side-line"));
  await table.says("status", "White to move");
  await page.keyboard.press("End");
  await table.says("status", "2... 31-36");
  await page.click("#curve", { position: { x: 2, y: 20 } });
  await table.says("status", "White to move");
  // Evaluations in the text are shown too.
  await table.read("1. 32-28 {[%eval 0.4]} 19-23 {[%eval -0.3]} 2. 28x19 {[%eval 0.1]} *");
  await table.until(() => document.querySelectorAll("#moves .move").length === 3);
  await table.until(() => document.querySelector("#curve:not([hidden]) .path")?.points.length === 3);
  await page.keyboard.press("End");
  await table.until(() => document.getElementById("bar").ariaLabel.includes("score +0.10"));
  await table.read("nonsense");
  await table.until(() => document.getElementById("notes").textContent.length > 5);
}

/** A position on an empty board; what is no position is told. */
async function setsUp({ page, table }) {
  await table.tab("setup");
  await accessible(page, "setting up");
  await page.click("#setup-clear");
  await page.getByRole("radio", { name: "white king" }).click();
  await table.click(28);
  await page.getByRole("radio", { name: "black man" }).click();
  await table.click(5, 50);
  await page.selectOption("#setup-side", "black");
  await page.click("#setup-done");
  await table.says("setup-error", "promotion square 50");
  await table.click(50);
  await page.click("#setup-done");
  await table.fenIs("B:WK28:B5");
  await table.says("position-info", "Bitbases");
  await table.until(() => location.hash === "#international/B:WK28:B5");
}

/** Other games on their boards; captures step by step, with a choice where squares leave one. */
async function otherGames({ page, table }) {
  await table.choose("russian");
  assert.equal(await page.locator(".square").count(), 32);
  for (const name of ["c3", "b4"]) await page.getByRole("gridcell", { name: `${name},` }).click();
  await table.says("status", "1. c3-b4");
  await table.choose("frisian");
  await table.click(32, 28);
  await table.says("status", "1. 32-28");
  // Two captures between the same squares.
  await table.choose("international");
  const crossroads = "W:WK47:B14,19,29,31,42";
  await table.read(crossroads);
  await table.fenIs(crossroads);
  await table.click(47, 36);
  const ways = page.locator("#choices button");
  assert.equal(await ways.count(), 2);
  const way = await ways.last().innerText();
  await ways.last().click();
  await table.says("status", `1. ${way.replaceAll("×", "x")}`);
  await page.click("#previous");
  // Or by the squares on the way.
  await table.click(...way.split("×").map(Number));
  await table.says("status", `1. ${way.replaceAll("×", "x")}`);
  await table.choose("turkish");
  assert.equal(await page.locator(".square").count(), 64);
}

/** Everything without a pointer. */
async function byKeyboard({ page, table }) {
  await table.square(50).focus();
  for (const key of ["Up", "Up", "Up", "Left", "Left"])
    await page.keyboard.press(`Shift+Arrow${key}`);
  const at = Number(await page.evaluate(() => document.activeElement.dataset.square));
  assert.ok(at > 30 && at <= 35, `${at}`);
  await page.keyboard.press("Enter");
  const selected = page.locator('.square[aria-selected="true"]');
  assert.equal(await selected.getAttribute("data-square"), String(at));
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Enter");
  await table.says("status", "Black to move");
  await page.keyboard.press("ArrowLeft");
  await table.says("status", "White to move");
  await page.keyboard.press("f");
  assert.match(await page.locator("#ground use").getAttribute("href"), /flipped/);
  await page.keyboard.press("f");
  await page.keyboard.press("a");
  await table.until(() => document.querySelectorAll("#lines li").length > 0);
  await page.keyboard.press("a");
}

/** A piece pulled to its square. */
async function byDragging({ page, table }) {
  await table.choose("killer");
  const [from, to] = [await table.square(33).boundingBox(), await table.square(29).boundingBox()];
  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
  await page.mouse.move(...middle(from));
  await page.mouse.down();
  await page.mouse.move(...middle(to), { steps: 5 });
  await page.mouse.up();
  await table.says("status", "1. 33-29");
}

/** Links lead to positions, and languages change. */
async function links({ page, table }, address) {
  await page.goto(`${address}#russian/B:W21,K5:B1,4`);
  await page.reload();
  await table.fenIs("B:WK5,21:B1,4");
  await table.language("nl");
  await table.says("status", "Zwart aan zet");
  await table.language("fr");
  await table.says("status", "Trait aux Noirs");
  await page.reload();
  await table.says("status", "Trait aux Noirs");
  await table.language("en");
}

/** A second visit, without a network. */
async function offline({ context, page, table }, address) {
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await page.reload();
  await table.until(() => document.querySelectorAll("#pieces use").length === 40);
  await page.click("#analyse");
  await table.until(() => document.querySelectorAll("#lines li").length > 0);
  // A game that was not downloaded says so, and plays once there is a network.
  await page.selectOption("#variant", "frisian");
  await table.says("trouble", "Frisian: this game has not been downloaded yet");
  await context.setOffline(false);
  await table.says("trouble", "Connected to the engine again");
  await table.until(() => document.querySelectorAll("#lines li").length > 0);
  await page.click("#analyse");
}

/** An engine that fails is started again; nothing of the game is lost. */
async function engineFails({ page, table }) {
  await table.read(GAME);
  await page.click("#analyse");
  await table.until(() => document.querySelectorAll("#lines li").length > 0);
  const moves = await table.text("moves");
  await page.workers()[0].evaluate(() => {
    setTimeout(() => {
      throw new Error("killed by the test");
    });
  });
  await table.says("trouble", "The engine has stopped");
  await table.says("trouble", "Connected to the engine again");
  await table.until(() => document.querySelectorAll("#lines li").length > 0);
  assert.equal(await table.text("moves"), moves);
  // An error while it reads a line, as when it panics.
  await page.workers()[0].evaluate(async () => {
    (await ready).receive = () => {
      throw new Error("killed by the test");
    };
  });
  await page.click("#analyse");
  await table.says("trouble", "The engine has stopped");
  await table.says("trouble", "Connected to the engine again");
}

/** A telephone in the dark. What is not needed is not downloaded. */
async function narrow(browser, { address, asked }) {
  const options = { viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true };
  const before = asked.length;
  const { context, page, table } = await open(browser, address, {
    ...options,
    serviceWorkers: "block",
  });
  const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
  assert.ok(width <= 360, `${width} wide`);
  await table.square(32).tap();
  await table.square(28).tap();
  await table.says("status", "1. 32-28");
  await accessible(page, "a narrow screen");
  await page.click("#analyse");
  await table.until(() => document.querySelectorAll("#lines li").length > 0);
  const small = await page.$$eval("button, select", (items) =>
    items
      .filter((item) => item.checkVisibility() && item.getBoundingClientRect().height < 39.5)
      .map(({ id, textContent }) => id || textContent),
  );
  assert.deepEqual(small, []);
  const files = () => asked.slice(before).filter((name) => name.endsWith(".bitbases"));
  assert.deepEqual(files(), []);
  await table.read("W:WK28:BK5");
  await table.says("position-info", "Bitbases: won for White");
  assert.deepEqual(files(), ["/files/international.bitbases"]);
  // A game that is over needs no engine to fill the bar.
  const fills = (share) =>
    table.until((share) => document.getElementById("bar").ariaLabel.includes(` ${share}%`), share);
  await table.read("B:W28:B");
  await fills(100);
  await table.read("W:W:B28");
  await fills(0);
  await context.close();
}

/** A browser that blocks the data of sites: the page works, but remembers nothing. */
async function withoutStorage(browser, { address }) {
  const context = await browser.newContext({ locale: "en-GB", serviceWorkers: "block" });
  await context.addInitScript(() => {
    const get = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    for (const name of ["sessionStorage", "localStorage"])
      Object.defineProperty(window, name, { get });
  });
  const { page, table } = await openIn(context, address);
  await table.click(32, 28);
  await table.says("status", "1. 32-28");
  await table.until(() => location.hash.startsWith("#game/"));
  await table.language("nl");
  await table.says("status", "Zwart aan zet");
  await page.context().close();
}

/** The board, the engine behind it, and a narrow screen. */
async function runBoard(browser, server, opened) {
  const { address } = server;
  await accessible(opened.page, "at first");
  for (const tab of ["play", "games"]) {
    await opened.table.tab(tab);
    await accessible(opened.page, tab);
  }
  for (const [opener, dialog] of [
    ["settings", "settings-dialog"],
    ["keys", "key-list"],
  ]) {
    await opened.page.click(`#${opener}`);
    await accessible(opened.page, dialog);
    await opened.page.click(`#${dialog} [data-close]`);
  }
  await wholeGame(opened);
  const tests = {
    analyses,
    reads,
    setsUp,
    otherGames,
    byKeyboard,
    byDragging,
    links,
    engineFails,
    offline,
    ...promises,
  };
  for (const [name, test] of Object.entries(tests)) {
    const began = performance.now();
    await opened.table.startFresh(address);
    await test(opened, address);
    console.log(`${name}: ${(performance.now() - began).toFixed(0)} ms`);
  }
  await narrow(browser, server);
  await withoutStorage(browser, server);
}

run(folder, browserPath, async (browser, server) => {
  const opened = await open(browser, server.address);
  console.log(`first picture ${opened.took.toFixed(0)} ms`);
  if (part === "board") return runBoard(browser, server, opened);
  await runEveryday(opened, server.address);
  await runFiles(opened, server.address);
});
