// The page of `manoury serve` in a browser: the engine of the program plays and analyses.
//
// Arguments: the address of the server, Chromium, the program.

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { browse } = require("../web/browser.cjs");
const { GAME, runEveryday } = require("../web/everyday.cjs");
const { open } = require("../web/table.cjs");

const [, , address, browserPath, program] = process.argv;
const PAGE = `http://${address}/?token=secret`;

/** The engine answers a move, in two games. */
async function plays({ page, table }) {
  await table.tab("play");
  await page.selectOption("#level", "3");
  await table.play();
  await table.click(32, 28);
  await table.until(() =>
    /^1\.\.\. .*White to move/.test(document.getElementById("status").textContent),
  );
  await page.click("#play-end");
  await table.choose("russian");
  await page.selectOption("#level", "elo");
  await page.fill("#elo", "900");
  await table.play();
  assert.match(await table.text("names"), /Manoury, 900 Elo/);
  await table.until(() => document.querySelectorAll(".square.movable").length > 0);
}

/** Lines of the native engine, and the words of its bitbases. */
async function analyses({ page, table }) {
  await table.choose("international");
  await table.tab("analyse");
  await page.click("#analyse");
  await table.until(() => document.querySelectorAll("#lines li").length > 0);
  await page.click("#analyse");
  await table.read("W:WK28:BK5");
  await table.says("position-info", "Bitbases: won for White");
}

const says = (page, sentence) =>
  page.waitForFunction(
    (sentence) => document.getElementById("trouble").textContent.includes(sentence),
    sentence,
  );

/** A page that may not use the engine says what to do; nothing of the token stays in an address. */
async function refused(browser, { page }) {
  assert.ok(!page.url().includes("secret"), page.url());
  const context = await browser.newContext({ locale: "en-GB" });
  const other = await context.newPage();
  await other.goto(`http://${address}/`);
  await says(other, "Open the address printed by manoury serve");
  // It keeps trying, and would take the place of the second page as soon as that page has stored the
  // token for all tabs.
  await other.goto("about:blank");
  // Two pages are open, which is all that the server allows.
  const second = await context.newPage();
  await second.goto(PAGE);
  await second.waitForFunction(() => document.querySelectorAll("#pieces use").length > 0);
  await other.goto(PAGE);
  await says(other, "All engines are in use by other pages. Close one of them");
  // It connects by itself once another page is closed.
  await page.goto("about:blank");
  await other.waitForFunction(() => document.querySelectorAll("#pieces use").length > 0);
  await context.close();
  await page.goto(`http://${address}/`);
}

/** A reload opens another session, with the token that the tab has kept. */
async function reloads({ page, table }) {
  await page.reload();
  await table.until(() => document.querySelectorAll("#pieces use").length > 0);
}

/** A server of our own: `{ address, kill }`. */
async function startServer(port) {
  const child = spawn(program, [
    "serve",
    "--port",
    port,
    "--token",
    "secret",
    "--threads",
    "1",
    "--tt-size",
    "16",
  ]);
  const line = await new Promise((resolve) =>
    child.stdout.once("data", (bytes) => resolve(String(bytes))),
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const kill = () => (child.kill("SIGKILL"), ended);
  return { address: line.trim(), port: new URL(line).port, kill };
}

/** The clocks of a game stand while there is no engine. */
async function clocksStand({ page, table }, server) {
  const times = () => page.locator(".player .clock").allInnerTexts();
  await table.tab("play");
  await page.selectOption("#clock", "on");
  await page.fill("#minutes", "1");
  await table.play();
  await table.until(() => document.querySelector("#player-bottom .clock").innerText < "0:59");
  await server.kill();
  await says(page, "No connection to the engine");
  const before = await times();
  await page.waitForTimeout(1200);
  assert.deepEqual(await times(), before);
}

/** The program is killed during an analysis, and comes back. */
async function losesTheEngine(browser) {
  let server = await startServer("0");
  const { context, page, table } = await open(browser, server.address);
  await table.read(GAME);
  await table.says("names", "Anne");
  await page.keyboard.press("End");
  await table.says("status", "4... 14-19");
  await page.click("#analyse");
  await table.until(() => document.querySelectorAll("#lines li").length > 0);
  const two = Buffer.from(`${GAME}\n\n${GAME.replace("Anne", "Carla")}`);
  await table.tab("games");
  await page.setInputFiles("#file", { name: "two.pdn", mimeType: "text/plain", buffer: two });
  await table.says("found", "2");
  await server.kill();
  await says(page, "No connection to the engine. Your game is saved in this browser");
  const top = await page.locator("#trouble").boundingBox();
  assert.ok(top.y < 100, `${top.y}`);
  const download = page.waitForEvent("download");
  await table.tab("games");
  await page.click("#save");
  const saved = fs.readFileSync(await (await download).path(), "utf8");
  assert.match(saved, /\[White "Anne"\][^]*\( 3\. 33-28 23x32 \{ a side line\s+\} 4\. 37x28\s+\)/);
  server = await startServer(server.port);
  await says(page, "Connected to the engine again");
  await table.until(() => document.querySelectorAll("#lines li").length > 0);
  await table.tab("analyse");
  assert.match(await table.text("status"), /4\.\.\. 14-19/);
  // The file that was open is read again.
  await table.tab("games");
  await page.click("#game-list li:nth-child(2) button");
  await table.says("names", "Carla");
  await table.tab("games");
  await page.click("#close-file");
  await table.read(saved);
  await table.until(() => document.getElementById("status").textContent === "White to move");
  assert.match(await table.text("moves"), /quiet[^]*a side line[^]*14-19/);
  await clocksStand({ page, table }, server);
  await context.close();
}

browse(browserPath, async (browser) => {
  const opened = await open(browser, PAGE);
  console.log(`first picture ${opened.took.toFixed(0)} ms`);
  await plays(opened);
  await analyses(opened);
  await refused(browser, opened);
  await reloads(opened);
  await runEveryday(opened, `http://${address}/`);
  await opened.context.close();
  await losesTheEngine(browser);
});
