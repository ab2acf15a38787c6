// Looks at a page of reviews as a reader does: clicks, keys, a telephone, a dark room, paper.
//
//     node review.cjs CHROMIUM PAGE.html [FOLDER FOR PICTURES]

const assert = require("node:assert/strict");
const path = require("node:path");
const { look } = require("./look.cjs");

const [, , , , pictures] = process.argv;

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

const current = (page) => page.locator("#moves button.now").textContent();
const pieces = (page) => page.locator("#board use[href^='#piece']").count();

async function desk(open) {
  const page = await open({ viewport: { width: 1200, height: 900 } });
  assert.equal(await page.title(), "Game review");
  assert.equal(await page.locator("#moves button.now").count(), 0, "the start is before all moves");
  assert.equal(await pieces(page), 40);
  const moves = await page.locator("#moves button").count();
  assert.ok(moves > 20, `${moves} moves`);

  await page.click("#go-next");
  assert.match(await current(page), /^1\. /);
  await page.keyboard.press("ArrowRight");
  const second = await current(page);
  await page.click("#go-previous");
  await page.click("#go-next");
  assert.equal(await current(page), second);
  await page.keyboard.press("End");
  assert.equal(await page.locator("#moves button.now").getAttribute("data-ply"), String(moves));
  assert.ok((await pieces(page)) < 40);
  await page.keyboard.press("Home");
  assert.equal(await pieces(page), 40);

  // Moments: the key goes to the first, a click on its picture too.
  const moments = page.locator(".moment");
  assert.ok((await moments.count()) > 0, "games have moments");
  await page.keyboard.press("ArrowDown");
  const byKey = await current(page);
  await page.keyboard.press("Home");
  await moments.first().click();
  assert.equal(await current(page), byKey);
  assert.match(await page.locator("#comment").textContent(), /costs 0\.\d\d points.*Better: /);
  await picture(page, "desk");

  // The curve leads to the ply under the pointer.
  const box = await page.locator("#curve").boundingBox();
  await page.mouse.click(box.x + box.width - 2, box.y + 20);
  assert.equal(await page.locator("#moves button.now").getAttribute("data-ply"), String(moves));

  // The other side at the bottom.
  const place = () => page.locator("#board use[href^='#piece']").first().getAttribute("y");
  const before = await place();
  await page.keyboard.press("f");
  assert.notEqual(await place(), before);
  await page.keyboard.press("f");

  // Another game.
  await page.selectOption("#chooser select", { index: 1 });
  assert.equal(await page.locator("#moves button.now").count(), 0);
  const names = await page.locator("#names").textContent();
  await page.selectOption("#chooser select", { index: 0 });
  assert.notEqual(await page.locator("#names").textContent(), names);
  await page.context().close();
}

async function telephone(open) {
  const page = await open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  const tooWide = await page.evaluate(() => document.scrollingElement.scrollWidth > innerWidth);
  assert.equal(tooWide, false, "nothing sticks out on a telephone");
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(ground, "rgb(27, 26, 24)", "dark in the dark");
  const button = await page.locator("#go-next").boundingBox();
  assert.ok(button.height >= 40, "a thumb finds the button");
  await page.click("#go-next");
  await picture(page, "telephone");
  await page.context().close();
}

async function paper(open) {
  const page = await open({});
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("#buttons").isVisible(), false);
  assert.equal(await page.locator("#moments").isVisible(), true);
  const sheet = await page.pdf({ format: "A4", path: pictures ? path.join(pictures, "paper.pdf") : undefined });
  assert.ok(sheet.length > 1000);
  await page.context().close();
}

look([desk, telephone, paper]);
