// Opened files on the page: games listed and searched, pictures, learning from mistakes, exercises.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const { accessible } = require("./accessible.cjs");

/** A file of 300 games as older programs wrote it: in Windows-1252. */
const FILE = Array.from({ length: 300 }, (_, index) => {
  const [move, result] = index % 3 ? ["32-28 19-23 2. 28x19 14x23", "2-0"] : ["33-28 18-22", "1-1"];
  return `[Event "Cup"]\n[White "Gu\xe8ye ${index}"]\n[Black "Ben"]\n[Date "${1900 + index}.??.??"]\n\n1. ${move} ${result}\n\n`;
}).join("");

/** A game whose first move gives a man away. */
const FAULT = `[White "Carla"]
[Black "Dora"]
[FEN "W:W31,45,50:B1,2,22"]

1. 31-27 22x31 2. 45-40 31-36 0-2`;

/** Games of a club; the last one has an error. */
const CLUB = `[Event "Club"]
[White "Anne"]
[Black "Ben"]

1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 1-1

[White "Carla"]
[Black "Dora"]

1. 33-29 19-23 2-0

[White "Emma"]
[Black "Fleur"]

1. 34-29 19-23 2. 1-1000 {why?} 14-19 1-1`;

/** Two problems; the first has a solution. */
const PROBLEMS = `[FEN "W:W27,32,38:B16,18"]

1. 27-21 16x27 2. 32x21 2-0

[FEN "W:W28:B23"]

1. 28x19 2-0`;

const upload = (page, name, text) =>
  page.setInputFiles("#file", {
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(text, "latin1"),
  });

const listed = (table, count) =>
  table.until(
    (count) =>
      document.getElementById("collection-progress").hidden &&
      document.querySelectorAll("#game-list li").length === count,
    count,
  );

/** What the browser saves after a click. */
async function saved(page, id) {
  const download = page.waitForEvent("download");
  await page.click(`#${id}`);
  return fs.readFileSync(await (await download).path());
}

/** The games of a file are listed, searched, walked through, changed, and saved. */
async function listsGames({ page, table }) {
  await table.tab("games");
  await upload(page, "cup.pdn", FILE);
  await listed(table, 100);
  await table.says("found", "300");
  await accessible(page, "a list of games");
  // The list follows the language of the page.
  await table.language("fr");
  for (const [id, word] of [["collection-name", "parties"], ["found", "Trouv"], ["game-list", "coups"]])
    await table.says(id, word);
  await table.language("en");
  await page.click("#search summary");
  await page.fill("#search-player", "gUÈYE 29");
  await page.selectOption("#search-result", "draw");
  await listed(table, 3);
  await page.fill("#search-since", "spring");
  await table.says("search-error", "not a date such as");
  await page.fill("#search-since", "2197");
  await listed(table, 1);
  assert.match(await page.innerText("#game-list li"), /298[^]*Guèye 297 – Ben[^]*1-1/);
  await page.fill("#search-since", "");
  await listed(table, 3);
  await page.focus("#game-list li button");
  for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
  await table.says("names", "Guèye 294");
  await page.keyboard.press("n");
  await table.says("names", "Guèye 297");
  for (const name of ["294", "291"]) {
    await page.click("#game-previous");
    await table.says("names", `Guèye ${name}`);
  }
  // A move of one's own is saved with the file, and is there when the game is opened again.
  await page.keyboard.press("End");
  await table.says("status", "1... 18-22");
  await table.click(39, 33);
  await table.says("status", "2. 39-33");
  await page.keyboard.press("n");
  await table.says("names", "Guèye 294");
  await page.keyboard.press("p");
  await table.says("moves", "39-33");
  await table.tab("games");
  const games = (await saved(page, "save-all")).toString();
  assert.equal(games.match(/\[White /g).length, 3);
  assert.match(games, /Guèye 291"\][^]*?1\. 33-28 18-22 2\. 39-33/);
}

const saveAll = async ({ page, table }) => {
  await table.tab("games");
  return (await saved(page, "save-all")).toString().split("[White").slice(1);
};

/** Opens a game of the list at a ply. */
async function openAt({ page, table }, number, name, ply) {
  await table.tab("games");
  await page.click(`#game-list li:nth-child(${number}) button`);
  await table.says("names", name);
  await page.keyboard.press("Home");
  for (let at = 0; at < ply; at++) await page.keyboard.press("ArrowRight");
}

/** The file gets what the board shows, also after an undo, and no game played from a position of it. */
async function keepsChanges(opened) {
  const { page, table } = opened;
  await table.tab("games");
  await upload(page, "club.pdn", CLUB);
  await listed(table, 3);
  await openAt(opened, 1, "Anne", 1);
  await table.says("status", "1. 32-28");
  await page.click("#delete");
  await table.until(() => document.getElementById("moves").textContent === "");
  await page.keyboard.press("Control+z");
  await table.says("moves", "10-14");
  assert.match((await saveAll(opened))[0], /1\. 32-28 19-23 2\. 28x19 14x23 3\. 37-32 10-14 1-1/);
  await table.tab("analyse");
  await page.click("#annotate");
  await page.fill("#move-comment", "a comment");
  await page.click("#move-form .main");
  await table.says("moves", "a comment");
  await page.click("#details");
  await page.fill("#tag-White", "Anna");
  await page.click("#game-form .main");
  await table.says("game-list", "Anna – Ben");
  // Nothing of it is lost without a question.
  table.accepts = false;
  await table.tab("games");
  await page.click("#close-file");
  await upload(page, "cup.pdn", FILE);
  await table.says("collection-name", "club.pdn: 3 games");
  table.accepts = true;
  await page.keyboard.press("n");
  await table.says("names", "Carla – Dora 2-0");
  await page.keyboard.press("ArrowRight");
  await table.says("status", "1. 33-29");
  await table.tab("play");
  await page.selectOption("#level", "3");
  await page.selectOption("#side-choice", "black");
  await page.click("#play-here");
  await table.says("names", "Manoury, level 3 – You");
  await page.click("#play-end");
  // Of a game with an error, nothing is left out.
  await openAt(opened, 3, "Emma – Fleur", 1);
  await table.says("status", "1. 34-29");
  await page.click("#annotate");
  await page.fill("#move-comment", "another comment");
  await page.click("#move-form .main");
  await table.says("moves", "another comment");
  const games = await saveAll(opened);
  assert.match(games[0], /a comment/);
  assert.match(games[2], /34-29 \{ another comment \} 19-23 \{ 1-1000 \(why\?\) 14-19 \}\s+1-1/);
  assert.match(games[1], /Carla"\]\s+\[Black "Dora"\]\s+1\. 33-29 19-23 2-0/);
  await table.tab("analyse");
  for (const name of ["Emma", "Emma", "Manoury"]) {
    await table.says("names", name);
    await page.click("#undo");
  }
  await table.says("names", "Carla – Dora 2-0");
  assert.doesNotMatch(await table.text("names"), /Manoury/);
  // What was saved is closed without a question.
  table.accepts = false;
  await table.tab("games");
  await page.click("#close-file");
  await table.until(() => document.getElementById("collection").hidden);
  table.accepts = true;
}

/** The position on the board is searched for, and its moves in the file are played. */
async function explores({ page, table }) {
  await table.tab("games");
  await upload(page, "cup.pdn", FILE);
  await listed(table, 100);
  await table.tab("analyse");
  await table.says("explorer-title", "games with this position: 300");
  await accessible(page, "the explorer");
  assert.match(await page.innerText("#explorer-moves tr"), /32-28\s+200\s+67/);
  // Its score in the book.
  assert.match(await page.innerText("#explorer-moves tr td:last-child"), /^[+-]?\d\.\d\d$/);
  await page.click("#explorer-moves tr:nth-child(2) button");
  await table.says("status", "1. 33-28");
  await table.says("explorer-title", "position: 100");
  await table.tab("games");
  await page.check("#search-position");
  await table.says("found", "100");
  await page.keyboard.press("ArrowLeft");
  await page.click("#close-file");
  await table.tab("analyse");
  assert.ok(await page.isHidden("#explorer"));
}

/** A picture decoded by the browser: its size, and the colour in its middle. */
const decoded = (page, bytes, type) =>
  page.evaluate(
    async ({ data, type }) => {
      const image = new Image();
      image.src = `data:${type};base64,${data}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const square = image.width / 10;
      // A white man stands on 48; the square of 28 is empty.
      const colour = (column, row) =>
        [...context.getImageData((column + 0.5) * square, (row + 0.5) * square, 1, 1).data].slice(
          0,
          3,
        );
      return { size: image.width, man: colour(4, 9), empty: colour(4, 5) };
    },
    { data: bytes.toString("base64"), type },
  );

/** Pictures of the position, and of the game. */
async function savesPictures({ page, table }) {
  await table.read("1. 32-28 19-23 2. 28x19 14x23 *");
  await table.says("status", "White to move");
  await table.tab("games");
  const files = [
    ["image-svg", "image/svg+xml", 500],
    ["image-png", "image/png", 1000],
    ["image-gif", "image/gif", 400],
  ];
  for (const [id, type, expected] of files) {
    const bytes = await saved(page, id);
    const { size, man, empty } = await decoded(page, bytes, type);
    assert.equal(size, expected, id);
    assert.ok(Math.min(...man) > 200 && Math.max(...empty) < 200, `${id}: ${man}, ${empty}`);
    if (id === "image-gif") assert.equal(bytes.toString("latin1").split("\x21\xf9\x04").length, 6);
  }
}

/** All games of the list are reviewed, and saved with their reviews. */
async function reviewsAll({ page, table }) {
  await table.tab("analyse");
  await page.selectOption("#review-time", "0.05");
  await table.tab("games");
  await upload(page, "three.pdn", `${FAULT}\n\n[White "Nobody"]\n\n1. 99-98 *\n\n${FAULT}`);
  await listed(table, 3);
  await page.click("#review-all");
  await table.says("found", "Game 3 of 3");
  await table.says("found", "Found: 3");
  await table.says("notes", "not reviewed: 1");
  const games = (await saved(page, "save-all")).toString();
  // Mark, loss and better line.
  const verdict = /31-27\?\?\s+\{[^}]*blunder\s+costs\s+\d\.\d\d\s+points[^}]*\}\s+\(\s+1\.\s+\d/g;
  assert.equal(games.match(verdict)?.length, 2, games);
}

/** After a review: find a better move than the one of the game. */
async function learns({ page, table }) {
  await table.read(FAULT);
  await table.says("names", "Carla");
  await page.selectOption("#review-time", "0.05");
  await page.click("#review");
  await page.waitForSelector("#learn:visible");
  await page.selectOption("#learn-side", "white");
  await page.click("#learn");
  await table.says("trainer-text", "31-27");
  await accessible(page, "learning from mistakes");
  await table.click(31, 27);
  await table.says("trainer-text", "is the move of the game");
  await table.until(() => document.getElementById("status").textContent === "White to move");
  await page.click("#trainer-solution");
  await table.says("trainer-text", "Solution: ");
  await page.click("#trainer-end");
  assert.ok(await page.isHidden("#trainer"));
}

/** Problems of a file are solved; what was solved is known later. */
async function exercises({ page, table }, address) {
  await page.evaluate(() => localStorage.removeItem("manoury.solved"));
  for (const isFirst of [true, false]) {
    await table.tab("games");
    await upload(page, "problems.pdn", PROBLEMS);
    await listed(table, 2);
    if (!isFirst) await table.says("game-list", "solved");
    await page.click("#exercises");
    await table.says("trainer-title", isFirst ? "1 of 2" : "2 of 2");
    await table.says("trainer-text", "find the solution");
    // Lines, book and explorer would tell the solution.
    assert.ok(await page.isHidden("#panel-analyse"));
    if (isFirst) {
      await table.click(27, 21);
      await table.says("trainer-text", "The reply is 16x27");
      await table.says("status", "1... 16x27");
      await table.click(32, 21);
      await table.says("trainer-text", "Solved");
    }
    await table.startFresh(address);
  }
}

const tests = { listsGames, keepsChanges, explores, savesPictures, reviewsAll, learns, exercises };

/** Runs all, or those named in the environment. */
async function runFiles(opened, address) {
  const only = process.env.MANOURY_FILES?.split(",");
  for (const [name, test] of Object.entries(tests)) {
    if (only && !only.includes(name)) continue;
    const began = performance.now();
    await opened.table.startFresh(address);
    await test(opened, address);
    console.log(`${name}: ${(performance.now() - began).toFixed(0)} ms`);
  }
}

module.exports = { runFiles };
