// The page in another browser.

import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { openFirefox } from "./firefox.mjs";
import { folder, serve } from "./page.mjs";

const program = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
const skip = existsSync(program) ? false : `there is no ${program}`;
if (skip) console.log(`SKIPPED: the test in Firefox needs firefox-esr; ${skip}`);

let server, firefox;
before(async () => {
  if (skip) return;
  [server, firefox] = await Promise.all([serve(), openFirefox(program)]);
});
after(async () => {
  await firefox?.close();
  await server?.kill();
  rmSync(folder, { recursive: true });
});

/** Waits until an expression holds in the page. */
async function until(expression) {
  for (const end = Date.now() + 60_000; !(await firefox.evaluate(expression)); ) {
    if (Date.now() > end) assert.fail(`${expression}: ${await firefox.evaluate("document.body.innerText")}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

const STATUS = "(document.getElementById('status')?.textContent ?? '')";

test("a game of tic-tac-toe is played to its end in Firefox", { skip }, async () => {
  await firefox.visit(`${server.url}#/play?game=gdl%3Atictactoe`);
  const isOver = `/wins?\\b|draw/.test(${STATUS})`;
  for (let step = 0; step < 5; step++) {
    await until(`/to move: c/.test(${STATUS}) || ${isOver}`);
    if (await firefox.evaluate(isOver)) break;
    const moves = await firefox.evaluate("document.querySelectorAll('.moves li').length");
    const place = `(() => {
      const { x, y, width, height } = document.querySelector(".cell.next").getBoundingClientRect();
      return [x + width / 2, y + height / 2].join();
    })()`;
    await firefox.click(...(await firefox.evaluate(place)).split(",").map(Number));
    await until(`document.querySelectorAll('.moves li').length > ${moves}`);
  }
  assert.equal(await firefox.evaluate(isOver), true, await firefox.evaluate(STATUS));
  assert.deepEqual(firefox.errors, []);
});
