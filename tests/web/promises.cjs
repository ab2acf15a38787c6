// What the page promises beyond everyday use: one cheap check for each promise.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");

const GAME = `[White "Anne"]
[Black "Ben"]

1. 32-28 19-23 2. 28x19 14x23 3. 37-32 (3. 33-28 23x32 4. 37x28) 3... 10-14 1-1`;

/** Twenty moves of each side. */
const TWENTY = `${
  fs.readFileSync(path.join(__dirname, "long_game.pdn"), "utf8").split(/\s21\./)[0]
} *`;

const middle = async (square) => {
  const { x, y, width, height } = await square.boundingBox();
  return [x + width / 2, y + height / 2];
};

/** At 1280x800, board, score, three lines and twenty moves are visible; nothing sticks out anywhere. */
async function fits({ page, table }) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await table.read(TWENTY);
  await table.until(() => document.querySelectorAll("#moves .move").length === 40);
  await page.click("#analyse");
  await page.focus("#line-count");
  await page.selectOption("#line-count", "3");
  await table.until(() => document.querySelectorAll("#lines li").length === 3);
  // The list that has the focus leaves the arrow keys to the game.
  await page.keyboard.press("ArrowRight");
  await table.says("status", "1. ");
  await page.keyboard.press("Home");
  await table.until(() => document.getElementById("status").textContent === "White to move");
  assert.equal(await page.inputValue("#line-count"), "3");
  await table.until(() => document.querySelectorAll("#lines li").length === 3);
  const { side, hidden } = await page.evaluate(() => {
    const list = document.getElementById("moves");
    const isHidden = (item) => {
      const { top, bottom } = item.getBoundingClientRect();
      return top < 0 || bottom > innerHeight;
    };
    const items = [...document.querySelectorAll("#board, #score, #lines li, #moves")];
    const hidden = items.filter(isHidden).map(({ id }) => id);
    if (list.scrollHeight > list.clientHeight) hidden.push("moves");
    return { side: document.getElementById("board").offsetHeight, hidden };
  });
  assert.deepEqual(hidden, []);
  assert.ok(side > 0.82 * 800, `${side}`);
  // Rows keep their height, so that nothing jumps.
  const top = () => page.locator("#game").evaluate((game) => game.getBoundingClientRect().top);
  const before = await top();
  await page.keyboard.press("Home");
  await page.waitForTimeout(300);
  assert.equal(await top(), before);
  await page.click("#analyse");
  for (const [width, height] of [
    [1920, 1080],
    [820, 1180],
    [390, 844],
    [844, 390],
    [640, 400],
  ]) {
    await page.setViewportSize({ width, height });
    for (const tab of ["analyse", "play", "games", "setup"]) {
      await table.tab(tab);
      const out = await page.evaluate(() =>
        [...document.querySelectorAll("button, select, input, p, label, #board")]
          // Lines are cut with an ellipsis.
          .filter((item) => !item.closest("#lines, #best-line, #position-info"))
          .map((item) => [item.id || item.textContent, item.getBoundingClientRect()])
          .filter(([, { width, left, right }]) => width && (left < -1 || right > innerWidth + 1))
          .map(([name]) => name),
      );
      assert.deepEqual(out, [], `${width}x${height} ${tab}`);
      const { top, cut } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.getElementById("effort");
        return { top: document.getElementById("side").scrollTop, cut: scrollWidth > clientWidth };
      });
      assert.deepEqual({ top, cut }, { top: 0, cut: false }, `${width}x${height} ${tab}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await table.tab("analyse");
}

/** Lines can be played and looked at; threat, best move and side lines have their keys. */
async function analysesDeeply({ page, table }) {
  await page.click("#analyse");
  await table.until(() => document.querySelectorAll("#lines li").length === 3);
  const line = page.locator("#lines li").first().locator(".unbroken");
  await line.nth(2).hover();
  await page.waitForSelector(".preview:not([hidden]) use");
  await line.nth(2).click();
  await table.says("status", "Black to move");
  assert.equal(await page.locator("#moves .move").count(), 3);
  await page.keyboard.press("Home");
  await table.says("status", "White to move");
  await page.keyboard.press("t");
  await page.waitForSelector("#arrows .head.threat");
  await table.says("effort", "Threat");
  await page.keyboard.press("t");
  await page.waitForSelector("#arrows .head.best");
  for (let click = 0; click < 2; click++) await page.click("#analyse");
  await page.waitForSelector("#arrows .head.best");
  await page.keyboard.press(" ");
  await table.says("status", "Black to move");
  await page.click("#analyse");
  await table.read(GAME);
  await table.says("names", "Anne – Ben");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"]) {
    const before = await table.text("status");
    await page.keyboard.press(key);
    await table.until((before) => document.getElementById("status").textContent !== before, before);
  }
  await table.says("status", "3. 37-32");
  await page.keyboard.press("ArrowDown");
  await table.says("status", "3. 33-28");
  await page.keyboard.press("ArrowUp");
  await table.says("status", "3. 37-32");
}

/** People draw arrows and circles; a piece that cannot move says why. */
async function drawsAndExplains({ page, table }) {
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(table.square(from))));
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...(await middle(table.square(to))));
    await page.mouse.up({ button: "right" });
  };
  await drag(32, 23);
  await drag(19, 19);
  assert.equal(await page.locator("#shapes .head").count(), 1);
  assert.equal(await page.locator("#shapes circle").count(), 1);
  // The link has them, and the PDN.
  await table.until(async () => {
    const { gameFrom } = await import("./saved-game.js");
    const { nodes } = (await gameFrom(location.hash)) ?? { nodes: [] };
    return nodes.some(([, { shapes = [] }]) => shapes.length === 2);
  });
  await page.evaluate(() => {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem("manoury.game");
  });
  await page.reload();
  await page.waitForSelector("#shapes circle");
  assert.equal(await page.locator("#shapes .head").count(), 1);
  await page.waitForSelector("#pieces use");
  await drag(19, 19);
  assert.equal(await page.locator("#shapes circle").count(), 0);
  await table.click(20);
  await table.says("why", "It is White's turn");
  assert.equal(await page.locator("#shapes .head").count(), 0);
  await table.click(50);
  await table.says("why", "no legal move");
  await table.read("W:W28,32:B22,23,2");
  await page.waitForSelector("#marks .must");
  await table.click(32);
  await table.says("why", "as many pieces as possible");
}

/** Comments, marks, players and results are edited, and all of it is undone. */
async function edits({ page, table }) {
  await table.click(32, 28);
  await table.says("status", "1. 32-28");
  await page.click("#undo");
  await table.says("status", "White to move");
  assert.equal(await table.text("moves"), "");
  await table.read(GAME);
  await table.says("names", "Anne – Ben");
  await page.keyboard.press("ArrowRight");
  await table.says("status", "1. 32-28");
  await page.click("#annotate");
  await page.fill("#move-comment", "a good start");
  await page.getByRole("button", { name: "!?", exact: true }).click();
  await page.fill("#move-nags", "$14");
  await page.click("#move-form .main");
  await table.says("moves", "a good start");
  await page.click("#details");
  await page.fill("#tag-White", "Carla");
  await page.fill("#tag-Event", "Open");
  await page.selectOption("#game-result", "2-0");
  await page.click("#game-form .main");
  await table.says("names", "Carla – Ben 2-0, Open");
  await table.tab("games");
  const download = page.waitForEvent("download");
  await page.click("#save");
  const saved = fs.readFileSync(await (await download).path(), "utf8");
  assert.match(saved, /\[Event "Open"\][^]*32-28!\? \$14 \{ a good start \}[^]*2-0/);
  await table.tab("analyse");
  await page.click("#undo");
  await table.says("names", "Anne – Ben 1-1");
  await page.click("#undo");
  await table.until(() => !document.getElementById("moves").textContent.includes("good"));
  // A game that another one has replaced comes back.
  await table.read("1. 33-29 *");
  await table.says("notes", "Undo brings back the previous game");
  await table.says("moves", "33-29");
  await page.keyboard.press("Control+z");
  await table.says("names", "Anne – Ben 1-1");
}

/** After a reload, Black is below as before, in the same tab, and has got no time back. */
async function comesBackInAGame({ page, table }) {
  await page.selectOption("#side-choice", "black");
  await table.play();
  const time = () => page.locator("#player-bottom .clock").innerText();
  await table.until(() => document.querySelector("#player-bottom .clock").innerText < "4:58");
  const before = await time();
  await page.reload();
  await table.says("player-bottom", "You");
  await page.waitForSelector("#play-game:not([hidden])");
  // A telephone on its side shows the clocks too.
  await page.setViewportSize({ width: 740, height: 360 });
  for (const id of ["player-top", "player-bottom"])
    await page.waitForSelector(`#${id} .clock:not(:empty)`);
  assert.equal(await page.locator("#side").evaluate(({ scrollTop }) => scrollTop), 0);
  await page.setViewportSize({ width: 1280, height: 720 });
  assert.ok((await time()) <= before, `${await time()} after ${before}`);
  await page.click("#play-end");
  await page.selectOption("#clock", "on");
  await page.fill("#minutes", "5");
  await page.fill("#increment", "3");
}

/** A game on the clock: hint, offer of a draw, resignation, and its review. */
async function playsByTheClock({ page, table }) {
  await table.tab("play");
  await table.says("level-text", "overlooks how an exchange ends");
  await page.selectOption("#clock", "on");
  await page.fill("#minutes", "5");
  await page.fill("#increment", "3");
  await comesBackInAGame({ page, table });
  await table.play();
  await table.click(32, 28);
  await table.until(() =>
    /^1\.\.\. .*White to move/.test(document.getElementById("status").textContent),
  );
  assert.match(await page.locator("#player-bottom .clock").innerText(), /^[45]:\d\d$/);
  await page.click("#play-hint");
  await page.waitForSelector("#arrows .head.best");
  await page.click("#play-draw");
  await table.says("notes", "declines the draw");
  await page.click("#play-resign");
  await table.says("names", "You – Manoury, level 3 0-2");
  // To undo moves does not start the game again.
  await page.keyboard.press("Control+z");
  await table.until(() => document.querySelectorAll("#moves .move").length === 1);
  await table.says("names", "You – Manoury, level 3 0-2");
  assert.ok(await page.locator("#play-game").isHidden());
  await page.click("#play-review");
  await page.waitForSelector("#players:not([hidden])");
  await page.reload();
  await page.waitForSelector("#players:not([hidden])");
  await table.tab("play");
  await page.selectOption("#clock", "off");
  await table.tab("analyse");
}

/** A review shows how far it is, and can be stopped. */
async function stopsReviews({ page, table }) {
  await table.read(TWENTY);
  await table.until(() => document.querySelectorAll("#moves .move").length === 40);
  await page.selectOption("#review-time", { label: "thorough" });
  await page.click("#review");
  await table.until(() => document.getElementById("progress").value > 0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await table.until(() => document.getElementById("progress").hidden);
  assert.ok(await page.locator("#players").isHidden());
}

/** Settings are remembered. */
async function remembers({ page }) {
  const colour = () =>
    page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue("--dark-square"),
    );
  const side = async () => (await page.locator("#board").boundingBox()).width;
  const before = await colour();
  const sideBefore = await side();
  await page.click("#settings");
  await page.selectOption("#set-board", "contrast");
  await page.selectOption("#set-size", "small");
  await page.selectOption("#set-numbers", "off");
  await page.reload();
  assert.notEqual(await colour(), before);
  assert.ok(await page.locator("#numbers").isHidden());
  assert.ok(Math.abs((await side()) / sideBefore - 0.7) < 0.01);
  await page.click("#settings");
  await page.selectOption("#set-size", "large");
  await page.selectOption("#set-board", "wood");
  await page.selectOption("#set-numbers", "all");
  await page.click("#settings-dialog [data-close]");
}

const promises = {
  fits,
  analysesDeeply,
  drawsAndExplains,
  edits,
  playsByTheClock,
  stopsReviews,
  remembers,
};

module.exports = { promises };
