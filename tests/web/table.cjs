// The page of a board, as tests use it.

/** How long something may take on a busy machine, in milliseconds. */
const PATIENCE = 30_000;

/** The board with what it shows. */
class Table {
  /** Whether questions of the page are answered with yes. */
  accepts = true;

  constructor(page) {
    this.page = page;
  }

  square = (number) => this.page.locator(`.square[data-square="${number}"]`);

  /** The text of a part of the page. */
  text = (id) => this.page.locator(`#${id}`).innerText();

  /** Waits until a condition on the page holds. */
  until = (condition, argument) =>
    this.page.waitForFunction(condition, argument, { timeout: PATIENCE, polling: 20 });

  /** Waits until a part of the page has some text. */
  async says(id, text) {
    const includes = ({ id, text }) => document.getElementById(id).textContent.includes(text);
    await this.until(includes, { id, text }).catch(async (error) => {
      const shown = await this.page.innerText("body");
      throw new Error(`#${id} does not say "${text}"; the page says:\n${shown}`, { cause: error });
    });
  }

  fen = () => this.page.locator("#fen").inputValue();

  fenIs = (fen) => this.until((fen) => document.getElementById("fen").value === fen, fen);

  async click(...squares) {
    for (const square of squares) await this.square(square).click();
  }

  /** Chooses a tab: `analyse`, `play`, `games`, `setup`. */
  tab = (name) => this.page.click(`#tab-${name}`);

  /** Starts a game against the engine, and waits for it: a click on the board before is one in the old game. */
  async play() {
    await this.page.click("#play-new");
    await this.page.waitForSelector("#play-game:not([hidden])");
  }

  /** Chooses the language of the page. */
  async language(code) {
    await this.page.click("#settings");
    await this.page.selectOption("#language", code);
    await this.page.click("#settings-dialog [data-close]");
  }

  async read(text) {
    await this.tab("games");
    // An open file has the place of the field.
    if (await this.page.locator("#paste").isHidden()) await this.page.click("#close-file");
    await this.page.fill("#paste", text);
    await this.page.click("#read");
  }

  /** Opens the page without a saved game. */
  async startFresh(address) {
    // A file of the same site, on which no script saves the game meanwhile.
    await this.page.goto(`${address}icon.svg`);
    await this.page.evaluate(() => {
      for (const storage of [sessionStorage, localStorage]) storage.removeItem("manoury.game");
    });
    await this.page.goto(address);
    await this.until(() => document.querySelectorAll("#pieces use").length === 40);
  }

  async choose(variant) {
    await this.page.selectOption("#variant", variant);
    await this.until(
      (name) => document.querySelector(`#ground use`)?.getAttribute("href") === name,
      `#board-${variant}`,
    );
  }
}

/** Opens the page. Nothing on it may fail. */
async function open(browser, address, options = {}) {
  const context = await browser.newContext({
    reducedMotion: "reduce",
    locale: "en-GB",
    ...options,
  });
  return openIn(context, address);
}

/** Opens the page in a context of the browser. */
async function openIn(context, address) {
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.on("pageerror", (error) => {
    console.error("on the page:", error);
    process.exitCode = 1;
  });
  const began = performance.now();
  await page.goto(address);
  const table = new Table(page);
  page.on("dialog", (dialog) => (table.accepts ? dialog.accept() : dialog.dismiss()));
  await table.until(() => document.querySelectorAll("#pieces use").length > 0);
  return { context, page, table, took: performance.now() - began };
}

module.exports = { open, openIn };
