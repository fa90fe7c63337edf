// Games that are played on the page: by clicks, by keys, by links and files.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { ELSEWHERE, clickSomeMove, drop, isOver, open, picture, rules, saved, status, turn, visit } from "./page.mjs";

let house;
before(async () => {
  house = await open();
});
after(() => house?.close());

for (const { game, longest } of [
  { game: "breakthrough:3x5", longest: 40 },
  { game: "havannah:3", longest: 20 },
  { game: "gdl:tictactoe", longest: 9 },
  { game: "gdl:connect4", longest: 21 },
]) {
  test(`a whole game of ${game} is played by clicking`, async () => {
    const { page, leave } = await visit(house, { game });
    for (let step = 0; step < longest && !(await isOver(page)); step++) {
      await turn(page);
      if (!(await isOver(page))) await clickSomeMove(page);
      await turn(page);
    }
    assert.ok(await isOver(page), await status(page));
    if (game.startsWith("havannah")) {
      assert.match(await saved(page, "text=Save SGF"), /GM\[havannah\]SZ\[3\].*;W\[[a-e][1-5]\];B\[/);
    }
    await leave();
  });
}

test("a broken rulesheet is explained, and a sound one is played", async () => {
  const { page, leave } = await visit(house, { game: "gdl:nim" });
  const broken =
    "(role a)\n(init (cell 1))\n(<= (legal a (take ?x)) (not (true (cell ?x))))\n(<= (goal a 100) terminal)\n";
  await page.setInputFiles("#sheet", { name: "broken.kif", mimeType: "text/plain", buffer: Buffer.from(broken) });
  await page.waitForSelector(".remarks li.error");
  const text = await page.textContent(".remarks");
  assert.match(text, /broken\.kif cannot be played/);
  assert.match(text, /line 3, column/);
  await picture(page, "checker");
  const sound = readFileSync(rules);
  await page.setInputFiles("#sheet", { name: "mine.kif", mimeType: "text/plain", buffer: sound });
  await page.waitForFunction(() => location.hash.includes("sheet%3Amine"));
  await clickSomeMove(page);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length >= 1);
  await leave();
});

test("a rulesheet is dropped on the page, whatever it shows", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5" });
  await page.click("nav >> text=Papers");
  await page.waitForSelector("h1 >> text=papers");
  await drop(page, "broken.kif", "(role a");
  await page.waitForFunction(() =>
    /broken\.kif cannot be played/.test(document.querySelector(".remarks")?.textContent),
  );
  await drop(page, "dropped.kif", readFileSync(rules, "utf8"));
  await page.waitForFunction(() => location.hash.includes("sheet%3Adropped"));
  await page.waitForFunction(() => document.querySelectorAll(".cell").length === 9);
  assert.match(await page.textContent(".remarks"), /dropped\.kif can be played/);
  assert.equal(await page.locator("#game option:checked").textContent(), "dropped.kif");
  await clickSomeMove(page);
  await leave();
});

test("the link of a position leads somebody else there", async () => {
  const { page, leave } = await visit(house, {
    game: "gdl:connect4",
    seats: ["person", "person"],
    moves: "(drop 4);(drop 4);(drop 3)",
  });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("[aria-label='Step back']");
  await page.waitForFunction(() => /Step 2 of 3/.test(document.getElementById("status").textContent));
  await page.click("text=Copy link");
  await page.waitForFunction(() => /is copied/.test(document.getElementById("status").textContent));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await leave();
  const other = await visit(house, { game: "breakthrough:5", seats: ["person", "person"] });
  await other.page.goto(link);
  await other.page.waitForFunction(() =>
    /^drop d was played\. white to move/.test(document.querySelector("#status").textContent),
  );
  assert.equal(await other.page.locator(".moves li").count(), 2);
  const men = await other.page.$$eval(".cell", (cells) => cells.filter((cell) => !/empty/.test(cell.ariaLabel)).length);
  assert.equal(men, 2);
  await other.leave();
});

test("a whole game with the keyboard alone", async () => {
  const { page, leave } = await visit(house, { game: "gdl:tictactoe" });
  const here = () => page.evaluate(() => document.activeElement.getAttribute("data-cell"));
  for (let tabs = 0; (await here()) === null; tabs++) {
    assert.ok(tabs < 60, "the board is reached by Tab");
    await page.keyboard.press("Tab");
  }
  for (let step = 0; step < 9 && !(await isOver(page)); step++) {
    const before = await page.textContent(".moves");
    for (;;) {
      // The arrow that leads towards the first free cell.
      const arrow = await page.evaluate(() => {
        const middle = (element) => element.getBoundingClientRect();
        const [here, there] = [middle(document.activeElement), middle(document.querySelector(".cell.next"))];
        const [dx, dy] = [there.x - here.x, there.y - here.y];
        if (Math.abs(dx) > 5) return dx > 0 ? "ArrowRight" : "ArrowLeft";
        if (Math.abs(dy) > 5) return dy > 0 ? "ArrowDown" : "ArrowUp";
        return null;
      });
      if (arrow === null) break;
      await page.keyboard.press(arrow);
    }
    await page.keyboard.press("Enter");
    await page.waitForFunction((before) => document.querySelector(".moves").textContent !== before, before);
    await turn(page);
    assert.notEqual(await here(), null, "the focus stays on the board");
  }
  assert.ok(await isOver(page), await status(page));
  await page.keyboard.press("u");
  await page.waitForFunction(() => /to move/.test(document.getElementById("status").textContent));
  await leave();
});

test("steps back, undo, resign, swap, link and files", async () => {
  const { page, leave } = await visit(house, { game: "go:5", seats: ["person", "random"], moves: "c3;b2;d4;d2" });
  const steps = () => page.locator(".moves li").count();
  await turn(page);
  await page.click("[aria-label='Step back']");
  await page.waitForFunction(() => /Step 3 of 4/.test(document.getElementById("status").textContent));
  await page.reload();
  await page.waitForFunction(() => /Step 3 of 4/.test(document.getElementById("status")?.textContent));
  await page.click("[aria-label='To the end']");
  await turn(page);
  await page.click("text=Undo");
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length === 2);
  const sgf = await saved(page, "text=Save SGF");
  assert.match(sgf, /^\(;FF\[4\].*GM\[1\]SZ\[5\]KM\[7\.5\].*;B\[cc\];W\[bd\]\)\n$/);
  const json = JSON.parse(await saved(page, "text=Save JSON"));
  assert.deepEqual(json.moves, ["c3", "b2"]);
  await page.click("text=Swap seats");
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length === 3);
  assert.equal(await page.inputValue("[aria-label='Who plays white']"), "person");
  await turn(page);
  await page.click("text=Resign");
  await page.waitForFunction(() => /white resigned\. black wins/.test(document.getElementById("status").textContent));
  assert.equal(await steps(), 3);
  await leave();
});

test("the page works at an address that the browser does not trust", async () => {
  const at = { browser: house.browser, url: house.url.replace("127.0.0.1", ELSEWHERE) };
  const { page, leave } = await visit(at, { game: "gdl:goofspiel", seats: ["person", "uct"] });
  assert.equal(await page.evaluate(() => isSecureContext), false);
  assert.match(await status(page), /to move: choose a move/);
  await page.click(".legal button >> nth=0");
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length === 1);
  await page.click("text=Copy link");
  await page.waitForFunction(() => /the link is http/.test(document.getElementById("notice").textContent));
  await leave();
});

test("a game that does not exist is told, and the page goes on", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5" });
  await page.evaluate(() => (location.hash = "#/play?game=chess"));
  await page.waitForFunction(() => /unknown game/.test(document.getElementById("notice").textContent));
  await clickSomeMove(page);
  await leave();
});
