// Looks at a page of reviews as a reader does: clicks, keys, a telephone, a dark room, paper.
//
//     node review.cjs CHROMIUM PAGE.html [FOLDER FOR PICTURES]

const assert = require("node:assert/strict");
const path = require("node:path");
const { accessible } = require("../web/accessible.cjs");
const { look } = require("./look.cjs");

const [, , , , pictures] = process.argv;

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

const current = (page) => page.locator("#moves .now").textContent();
const pieces = (page) => page.locator("#pieces use").count();
/** Waits for a number of pieces: a piece that moves takes a moment. */
const untilPieces = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#pieces use").length === count, count);
const isAtEnd = (page) => page.locator("#next").isDisabled();

async function desk(open) {
  const page = await open({ viewport: { width: 1200, height: 900 } });
  assert.equal(await page.title(), "Game review");
  assert.equal(await page.locator("#moves .now").count(), 0, "the start is before all moves");
  assert.equal(await pieces(page), 40);
  const moves = await page.locator("#moves > .move").count();
  assert.ok(moves > 20, `${moves} moves`);

  await page.click("#next");
  const first = await current(page);
  await page.keyboard.press("ArrowRight");
  const second = await current(page);
  assert.notEqual(second, first);
  await page.click("#previous");
  assert.equal(await current(page), first);
  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, 100);
  await page.waitForFunction((text) => document.querySelector("#moves .now").textContent === text, second);
  await page.keyboard.press("End");
  assert.ok(await isAtEnd(page));
  assert.ok((await pieces(page)) < 40);
  await page.keyboard.press("Home");
  await untilPieces(page, 40);

  // Turning points: the key goes to the first, a click on its picture too.
  const moments = page.locator("#moments .moment");
  assert.ok((await moments.count()) > 0, "games have turning points");
  assert.match(await moments.first().textContent(), /(White|Black) to move.*Costs 0\.\d\d points/);
  assert.equal(await moments.first().locator(".head").count(), 2, "the move played and the better one");
  await page.keyboard.press("PageDown");
  const byKey = await current(page);
  await page.keyboard.press("Home");
  await moments.first().click();
  assert.equal(await current(page), byKey);
  assert.match(await page.locator("#comment").textContent(), /Costs 0\.\d\d points.*Better: \d+\./);
  await picture(page, "desk");
  await accessible(page, "a review");

  // The better line is a side line with numbers, which can be played through.
  await page.keyboard.press("ArrowDown");
  const instead = await page.locator("#moves .side-line .now").textContent();
  assert.match(instead, /^\d+\.+ /);
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await page.locator("#moves .side-line .now").textContent(), instead);
  await picture(page, "side-line");

  // The curve leads to the ply under the pointer.
  await page.keyboard.press("Home");
  const box = await page.locator("#curve").boundingBox();
  await page.mouse.click(box.x + box.width - 2, box.y + 20);
  assert.ok(await isAtEnd(page));

  // The other side at the bottom.
  await page.keyboard.press("Home");
  await untilPieces(page, 40);
  const place = () => page.locator("#pieces use").first().getAttribute("y");
  const before = await place();
  await page.keyboard.press("f");
  assert.notEqual(await place(), before);
  await page.keyboard.press("f");

  // Another game, by the list and by a key.
  const names = await page.locator("#names").textContent();
  await page.selectOption("#chooser select", { index: 1 });
  assert.equal(await page.locator("#moves .now").count(), 0);
  assert.notEqual(await page.locator("#names").textContent(), names);
  await page.locator("#chooser select").blur();
  await page.keyboard.press("p");
  assert.equal(await page.locator("#names").textContent(), names);
  assert.equal(await page.locator("#chooser select").inputValue(), "0");
  await page.context().close();
}

async function telephone(open) {
  const page = await open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  const tooWide = await page.evaluate(() => document.scrollingElement.scrollWidth > innerWidth);
  assert.equal(tooWide, false, "nothing sticks out on a telephone");
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(ground, "rgb(27, 26, 24)", "dark in the dark");
  const button = await page.locator("#next").boundingBox();
  assert.ok(button.height >= 40, "a thumb finds the button");
  await page.click("#next");
  await picture(page, "telephone");
  await accessible(page, "a review in the dark");
  await page.context().close();
}

/** All games are printed, not only the one that is shown. */
async function paper(open) {
  const page = await open({});
  const games = await page.locator("#chooser option").count();
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("main").isVisible(), false);
  assert.equal(await page.locator(".sheet h2").count(), games);
  assert.ok((await page.locator(".sheet .moment").count()) > games);
  const sheet = await page.pdf({ format: "A4", path: pictures ? path.join(pictures, "paper.pdf") : undefined });
  assert.ok(sheet.length > 1000);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await page.locator(".sheet").count(), 0);
  await page.context().close();
}

look([desk, telephone, paper]);
