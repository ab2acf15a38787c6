// Pages of a folder in a real browser.

const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { chromium } = require("playwright-core");

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** A server of a folder, and what it was asked for: `{ address, asked, close }`. */
async function serve(folder) {
  const asked = [];
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = path.join(
      folder,
      path.normalize(pathname),
      pathname.endsWith("/") ? "index.html" : "",
    );
    asked.push(pathname);
    if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": TYPES[path.extname(file)] ?? "application/octet-stream",
    });
    fs.createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    asked,
    close: () => server.close(),
  };
}

/** Runs a test with a browser; the process ends with its outcome. */
async function browse(browserPath, test) {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  try {
    await test(browser);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await browser.close();
  }
}

/** Runs a test with a browser and the server of a folder. */
async function run(folder, browserPath, test) {
  const server = await serve(folder);
  await browse(browserPath, (browser) => test(browser, server));
  server.close();
}

module.exports = { browse, run };
