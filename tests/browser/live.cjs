// Watches a match in progress. Arguments as in look.cjs, with the address of the page.

const assert = require("node:assert/strict");
const path = require("node:path");
const { accessible } = require("../web/accessible.cjs");
const { look } = require("./look.cjs");

const [, , , , pictures] = process.argv;

async function desk(open) {
  const page = await open({ viewport: { width: 1400, height: 900 } });
  await page.waitForSelector(".game-card .engine.moves");
  const card = () => page.locator(".game-card").first().innerText();
  const before = await card();
  // Between two games there is no card for a moment.
  await page.waitForFunction((before) => {
    const card = document.querySelector(".game-card");
    return card && card.innerText !== before;
  }, before);
  assert.equal(await page.evaluate(() => scrollY), 0, "nothing scrolls by itself");
  await page.waitForSelector("#game-list li");
  assert.match(await page.locator("#count").textContent(), /^\d+ of 400 games/);
  assert.ok((await page.locator("#tables tr").count()) > 3);
  await page.waitForSelector("#test polyline");
  for (const width of [1000, 1200, 1400, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const hidden = await page.evaluate(() => {
      const [standing, table] = ["#standing", "#tables table"].map((selector) =>
        document.querySelector(selector).getBoundingClientRect(),
      );
      return table.right - standing.right;
    });
    assert.ok(hidden <= 0, `${hidden} pixels of the ratings are out of sight at ${width} pixels`);
  }
  await page.setViewportSize({ width: 1400, height: 900 });

  // A finished game is walked through, while the match goes on.
  await page.locator(".game-row").last().click();
  await page.waitForFunction(() => /2-0|1-1|0-2/.test(document.getElementById("names").textContent));
  const names = await page.locator("#names").textContent();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const move = await page.locator("#moves .now").textContent();
  const count = await page.locator("#count").textContent();
  await page.waitForFunction((count) => document.getElementById("count").textContent !== count, count);
  assert.equal(await page.locator("#names").textContent(), names);
  assert.equal(await page.locator("#moves .now").textContent(), move);
  await accessible(page, "a match in progress");
  if (pictures) await page.screenshot({ path: path.join(pictures, "live.png"), fullPage: true });

  await page.selectOption("#language", "nl");
  await page.waitForFunction(() => /partijen/.test(document.getElementById("count").textContent));
}

async function telephone(open) {
  const page = await open({ viewport: { width: 360, height: 740 } });
  await page.waitForSelector(".game-card");
  const tooWide = await page.evaluate(() => document.scrollingElement.scrollWidth > innerWidth);
  assert.equal(tooWide, false, "nothing sticks out on a telephone");
}

look([desk, telephone]);
