// The page of `manoury serve` in a browser: the engine of the program plays and analyses.
//
// Arguments: the address of the server, Chromium.

const assert = require("node:assert/strict");
const { browse } = require("../web/browser.cjs");
const { open } = require("../web/table.cjs");

const [, , address, browserPath] = process.argv;
const PAGE = `http://${address}/?token=secret`;

/** The engine answers a move, in two games. */
async function plays({ page, table }) {
  await page.selectOption("#level", "3");
  await page.click("#play-new");
  await table.click(32, 28);
  await table.until(() =>
    /^1\.\.\. .*White to move/.test(document.getElementById("status").textContent),
  );
  await page.click("#play-end");
  await table.choose("russian");
  await page.click("#play-new");
  await table.until(() => document.querySelectorAll(".square.movable").length > 0);
}

/** Lines of the native engine, and the words of its bitbases. */
async function analyses({ page, table }) {
  await table.choose("international");
  await page.click("#analyse");
  await table.until(() => document.querySelectorAll("#lines li").length > 0);
  await page.click("#analyse");
  await table.read("W:WK28:BK5");
  await table.says("position-info", "Bitbases: won for White");
}

/** A page that may not use the engine says why; nothing of the token stays in an address. */
async function refused(browser, { page }) {
  assert.ok(!page.url().includes("secret"), page.url());
  const context = await browser.newContext({ locale: "en-GB" });
  const say = async (where, sentence) => {
    const other = await context.newPage();
    await other.goto(where);
    await other.waitForFunction(
      (sentence) => document.getElementById("trouble").textContent.includes(sentence),
      sentence,
    );
    await other.close();
  };
  await say(`http://${address}/`, "missing or wrong token");
  await say(PAGE, "all 1 sessions are in use");
  await context.close();
}

/** A reload opens another session, with the token that the tab has kept. */
async function reloads({ page, table }) {
  await page.reload();
  await table.until(() => document.querySelectorAll("#pieces use").length > 0);
}

browse(browserPath, async (browser) => {
  const opened = await open(browser, PAGE);
  console.log(`first picture ${opened.took.toFixed(0)} ms`);
  await plays(opened);
  await analyses(opened);
  await refused(browser, opened);
  await reloads(opened);
  await opened.context.close();
});
