// Opens a page in Chromium, for tests that look at it.
//
//     node TEST.cjs CHROMIUM PAGE.html|ADDRESS [FOLDER FOR PICTURES]

const assert = require("node:assert/strict");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [, , browserPath, pagePath] = process.argv;

/** Runs tests one after another; each gets a function that opens the page with options. */
exports.look = (tests) => {
  run(tests).then(
    () => console.log("the page works"),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
};

async function run(tests) {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  try {
    for (const test of tests) await test((options) => open(browser, options));
  } finally {
    await browser.close();
  }
}

/** Opens the page; anything it complains about is an error. */
async function open(browser, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("pageerror", (error) => assert.fail(`on the page: ${error}`));
  page.on("console", (message) => assert.notEqual(message.type(), "error", message.text()));
  const address = pagePath.startsWith("http:") ? pagePath : `file://${path.resolve(pagePath)}`;
  const own = address.slice(0, address.lastIndexOf("/"));
  page.on("request", (request) => assert.ok(request.url().startsWith(own), `${request.url()} comes from outside`));
  await page.goto(address);
  return page;
}
