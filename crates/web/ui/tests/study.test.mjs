// Saved games, variations, the analysis of a whole game, and what else somebody needs who plays.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clickSomeMove, open, picture, saved, status, turn, visit } from "./page.mjs";

let house;
before(async () => {
  house = await open();
});
after(() => house?.close());

const people = ["person", "person"];
const count = (page, number) =>
  page.waitForFunction((number) => document.querySelectorAll(".moves li").length === number, number);
const bring = (page, name, text) =>
  page.setInputFiles("#open-game", { name, mimeType: "text/plain", buffer: Buffer.from(text) });

test("games are opened from SGF, from records of general game playing and from our own files", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: people });
  await bring(page, "g.sgf", "(;GM[1]FF[4]SZ[9]KM[5.5]PB[A]PW[B];B[ee];W[cc](;B[ii];W[])(;B[aa]))");
  await count(page, 4);
  assert.match(await page.textContent(".moves"), /e5c7j1pass/);
  assert.match(await page.textContent(".source"), /g\.sgf: A against B/);
  assert.match(page.url(), /game=go%3A9x9%2Ckomi%3D5\.5/);
  assert.match(await saved(page, "text=Save SGF"), /KM\[5\.5\].*;B\[ee\];W\[cc\];B\[ii\];W\[\]\)/);
  const record = {
    matchId: "m1",
    moves: [
      ["( mark 2 2 )", "noop"],
      ["noop", "(mark 1 1)"],
    ],
    gameMetaURL: "http://games.example/games/ticTacToe/v0/",
  };
  await bring(page, "match.json", JSON.stringify(record));
  await page.waitForFunction(() => location.hash.includes("tictactoe"));
  await count(page, 2);
  assert.match(await page.textContent(".moves"), /b2a1/);
  await page.waitForFunction(() => /Step 0 of 2/.test(document.getElementById("status").textContent));
  await page.click("[aria-label='To the end']");
  await page.waitForSelector(".cell.next");
  await clickSomeMove(page);
  const mine = await saved(page, "text=Save JSON");
  await page.click("text=Undo");
  await page.click("text=Undo");
  await bring(page, "mine.json", mine);
  await page.waitForFunction(() => /Step 0 of 3/.test(document.getElementById("status").textContent));
  await bring(page, "bad.json", "{}");
  await page.waitForFunction(() =>
    /bad\.json has no list of moves/.test(document.getElementById("notice").textContent),
  );
  await leave();
});

test("other moves become variations, and each can be gone on with", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: people, moves: "a2-a3;a4-b3;a3-a4" });
  await page.click("[aria-label='Step back']");
  await page.waitForFunction(() => /Step 2 of 3/.test(document.getElementById("status").textContent));
  await page.click("[data-move='c2-b3']");
  await page.waitForFunction(() => /c2-b3$/.test(document.querySelector(".moves").textContent));
  assert.match(await page.textContent(".variations"), /3\. a3-a4/);
  await page.click(".variations >> text=a3-a4");
  await page.waitForFunction(() => /a3-a4$/.test(document.querySelector(".moves").textContent));
  assert.match(await page.textContent(".variations"), /3\. c2-b3/);
  await leave();
});

test("the analysis of a whole game finds the turning point", async () => {
  // Crosses forget to block the diagonal with their third mark.
  const moves = "(mark 1 1);(mark 2 2);(mark 1 2);(mark 1 3);(mark 3 3);(mark 3 1)";
  const { page, leave } = await visit(house, { game: "gdl:tictactoe", seats: people, moves });
  assert.match(await status(page), /noughts win/);
  await page.click("text=Analyse game");
  await page.waitForSelector(".analysis progress");
  await page.waitForSelector(".verdicts .turn", { timeout: 30_000 });
  await page.waitForFunction(() => document.querySelector(".analysis").hidden, null, { timeout: 30_000 });
  assert.equal(await page.locator(".mind .chart .flag.blunder").count(), 1, "the blunder is marked in the chart");
  assert.equal(await page.textContent(".moves .blunder"), "c3??", "and in the list");
  assert.match(await page.textContent(".verdicts"), /Turning point: step 5, c3.*better c1/);
  assert.match(await page.getAttribute(".moves .blunder", "title"), /Best line: c1/, "the best line on hover");
  await picture(page, "analysis");
  await page.click(".verdicts .turn button");
  await page.waitForFunction(() => /Step 5 of 6/.test(document.getElementById("status").textContent));
  assert.match(await page.textContent(".verdicts"), /Turning point: step 5/, "it stays while somebody looks at it");
  await leave();
});

test("the engine's line is clicked and played out on the board", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: people, budget: "sims=500" });
  await page.click("text=Hint");
  await page.waitForSelector(".line button");
  const line = await page.locator(".line button").allTextContents();
  await page.click(".line button >> nth=1");
  await count(page, 2);
  assert.equal(await page.textContent(".moves"), line.slice(0, 2).join(""));
  await leave();
});

test("levels say who plays, and their parts are one click away", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: ["person", "level:beginner"] });
  assert.equal(await page.isVisible("#budget"), false, "a level knows its budget");
  await clickSomeMove(page);
  await turn(page);
  await count(page, 2);
  const seat = page.locator("fieldset.seat").nth(1);
  assert.equal(await seat.locator("summary").textContent(), "uct, sims=8");
  await seat.locator("summary").click();
  await seat.locator("text=Add a playout policy").click();
  await page.waitForFunction(() => document.querySelectorAll("fieldset.seat .spec")[1].value === "uct+mast");
  assert.equal(await page.isVisible("#budget"), true);
  await leave();
});

test("a piece goes to its target before the eyes of people, and without a sound", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: people, isOwn: true });
  await page.emulateMedia({ reducedMotion: "no-preference" });
  assert.equal(await page.isChecked("label >> text=Sound"), false);
  const begun = page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = () =>
          document.querySelector(".pieces").getAnimations({ subtree: true }).length > 0
            ? resolve(true)
            : setTimeout(look, 5);
        look();
      }),
  );
  await clickSomeMove(page);
  assert.equal(await begun, true);
  await leave();
});

test("whose time is up has lost", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: people, isOwn: true });
  await page.clock.install();
  await page.selectOption("[aria-label=Clock]", "1 min + 2 s");
  await page.waitForSelector(".clocks >> text=1:00");
  await clickSomeMove(page);
  await page.clock.fastForward(61_000);
  await page.waitForFunction(() =>
    /black ran out of time\. white wins/.test(document.getElementById("status").textContent),
  );
  await leave();
});

test("a game is not thrown away without a question", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: people, moves: "a2-a3;a4-b3" });
  await page.click("text=New game");
  await page.click("dialog >> text=Keep playing");
  assert.equal(await page.locator(".moves li").count(), 2);
  await page.click("text=New game");
  await page.click("dialog .danger");
  await count(page, 0);
  await leave();
});

test("the rules are told, the sheet is shown, and ? lists the keys", async () => {
  const { page, leave } = await visit(house, { game: "gdl:tictactoe", seats: people });
  await page.waitForSelector(".rules .sheet", { state: "attached" });
  await page.click("text=Rulesheet");
  assert.match(await page.textContent(".rules .sheet"), /\(role crosses\)/);
  await page.evaluate(() => (location.hash = "#/play?game=misere-nogo%3A5"));
  await page.waitForFunction(() => /Played to lose/.test(document.querySelector(".rules").textContent));
  await page.keyboard.press("?");
  await page.waitForSelector("dialog >> text=flip the board");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await leave();
});
