// Looks at the page of a match as a reader does. Arguments as in look.cjs.

const assert = require("node:assert/strict");
const path = require("node:path");
const { accessible } = require("../web/accessible.cjs");
const { look } = require("./look.cjs");

const [, , , , pictures] = process.argv;

async function desk(open) {
  const page = await open({ viewport: { width: 1200, height: 900 } });
  assert.equal(await page.title(), "Match");
  assert.match(await page.locator("#parts").textContent(), /4 of 4 games/);
  assert.equal(await page.locator("#parts table").first().locator("tr").count(), 3, "two engines");
  assert.equal(await page.locator("#chooser option").count(), 4);

  // The games are not reviewed.
  for (const part of ["#players", "#moments-section"]) {
    assert.equal(await page.locator(part).isVisible(), false, part);
  }
  // The opening has no scores; after it, each move has that of its engine.
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  assert.match(await page.locator("#comment").textContent(), /[+-]\d+\.\d\d\/\d+ \d/);
  assert.ok((await page.locator("#curve polyline").getAttribute("points")).length > 50);
  await accessible(page, "a match");
  if (pictures) await page.screenshot({ path: path.join(pictures, "match.png"), fullPage: true });
}

async function telephone(open) {
  const page = await open({ viewport: { width: 360, height: 740 } });
  const tooWide = await page.evaluate(() => document.scrollingElement.scrollWidth > innerWidth);
  assert.equal(tooWide, false, "wide tables are scrolled on their own");
}

look([desk, telephone]);
