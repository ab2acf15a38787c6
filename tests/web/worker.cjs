// The worker in a browser, as a page without anything of ours uses it: `postMessage` of lines.
//
// Arguments: the folder of the files, Chromium.

const assert = require("node:assert/strict");
const board = require("./analysis-board.cjs");
const { run } = require("./browser.cjs");

const [, , folder, browserPath] = process.argv;

/** In the page: a session, and how long its answers took. */
async function converse() {
  const heard = [];
  let wake = () => {};
  const began = performance.now();
  const worker = new Worker("worker.js");
  const errors = [];
  worker.onmessage = (event) => {
    if (event.data.startsWith("error")) errors.push(event.data);
    heard.push(event.data);
    wake();
  };
  const until = async (word) => {
    for (;;) {
      const place = heard.findIndex((line) => line.split(" ")[0] === word);
      if (place >= 0) return heard.splice(0, place + 1);
      await new Promise((resolve) => (wake = resolve));
    }
  };
  const ask = async (line, word) => {
    const asked = performance.now();
    worker.postMessage(line);
    const lines = await until(word);
    return { lines, time: performance.now() - asked };
  };
  // lidraughts sends these without waiting for answers.
  for (const line of ["hub", "set-param name=tt-size value=20", "init"]) worker.postMessage(line);
  await until("ready");
  const ready = performance.now() - began;

  // One late answer may be due to a busy machine, and several of them to one that is busy for a
  // second, so there are three tries.
  const late = 50;
  const answerTimes = async () => {
    const times = [];
    for (let round = 0; round < 20; round++) {
      worker.postMessage('pos start moves="32-28 18-23"');
      worker.postMessage("level infinite");
      worker.postMessage("go analyze");
      await until("info");
      await new Promise((resolve) => setTimeout(resolve, 25));
      times.push((await ask("ping", "pong")).time, (await ask("stop", "done")).time);
    }
    return times;
  };
  const tries = [];
  const isInTime = (times) => times.filter((time) => time > late).length <= 1;
  do tries.push(await answerTimes());
  while (!isInTime(tries.at(-1)) && tries.length < 3);
  const [times, isAnswered] = [tries.at(-1), isInTime(tries.at(-1))];
  worker.postMessage("set-param name=book value=false");
  worker.postMessage("level move-time=1");
  const { lines } = await ask("go think", "done");
  // Another game's files come when it is chosen.
  worker.postMessage("set-param name=variant value=frisian");
  const chosen = (await ask("init", "ready")).time;
  return { ready, times, isAnswered, lines, chosen, errors };
}

async function main(browser, { address }) {
  const page = await browser.newPage();
  // The page of a client, with nothing of ours on it.
  await page.route("**/client", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>client</title>" }),
  );
  await page.goto(`${address}client`);
  const { ready, times, isAnswered, lines, chosen, errors } = await page.evaluate(converse);
  assert.deepEqual(errors, []);
  const [info, done] = lines.slice(-2);
  console.log(
    `ready ${ready} ms, another game ${chosen} ms, latest answer ${Math.max(...times)} ms`,
  );
  console.log(`${info}\n${done}`);
  assert.ok(isAnswered, `${times}`);
  assert.match(done, /^done move=\d+[-x]\d+/);
  assert.ok(Number(/ depth=(\d+)/.exec(info)[1]) > 8, info);

  await page.addScriptTag({ content: `const walk = ${board.walk}` });
  const visits = await page.evaluate(() =>
    walk((hear) => {
      const worker = new Worker("worker.js");
      worker.onmessage = (event) => hear(event.data);
      return (line) => worker.postMessage(line);
    }),
  );
  board.check(assert, visits);
}

run(folder, browserPath, main);
