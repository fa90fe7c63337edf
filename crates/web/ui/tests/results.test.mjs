// Experiments on the page, in a real browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync, writeFileSync } from "node:fs";
import { beginExperiment, clickSomeMove, open, picture, playExperiment, rules, sheet, turn, visit } from "./page.mjs";

let house;
before(async () => {
  await playExperiment();
  house = await open();
});
after(() => house?.close());

test("an experiment leads to a recorded game on the board", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5" });
  await page.click("nav >> text=Measure");
  await page.click("a >> text=tiny");
  await page.waitForSelector("figure svg");
  await picture(page, "results");
  await page.click(".grid a >> nth=0");
  await page.click("text=Game 1");
  await page.waitForFunction(() => /Step 0 of \d+/.test(document.getElementById("status")?.textContent));
  await page.click("[aria-label='Step forward']");
  await page.waitForFunction(() => /Step 1 of \d+/.test(document.getElementById("status").textContent));
  await page.click("[aria-label='To the end']");
  await page.waitForFunction(() => /wins/.test(document.getElementById("status").textContent));
  await page.click("nav >> text=Papers");
  await page.waitForSelector("h2 a >> text=sironi2021");
  assert.match(await page.textContent("main"), /Nothing was played here: the figures come with the program/);
  const rows = () => page.locator(".table-box >> nth=0 >> tbody tr").count();
  const all = await rows();
  await page.fill("[type=search] >> nth=0", "NST");
  assert.ok((await rows()) > 0 && (await rows()) < all, "the rows are filtered");
  await page.click("h2 a >> text=sironi2021");
  await page.waitForSelector("h1 >> text=sironi2021");
  await leave();
});

test("a recorded game of a rulesheet in a file opens as long as the file is the same", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5" });
  const rows = page.locator(".grid a", { hasText: "rules/mine.kif" });
  const openFirst = async () => {
    await page.goto(`${house.url}#/results/tiny`);
    await rows.first().click();
    await page.click("button >> text=Game 0");
  };
  await openFirst();
  await page.waitForFunction(() => /Step 0 of \d+/.test(document.getElementById("status")?.textContent));
  assert.match(await page.textContent(".table"), /Game 0 of tiny: mast against uct, sims=20/);
  await page.click("[aria-label='To the end']");
  await page.waitForFunction(() => /wins?\b|draw/.test(document.getElementById("status").textContent));
  await page.reload();
  await page.waitForFunction(() => /wins?\b|draw/.test(document.getElementById("status")?.textContent));
  writeFileSync(sheet, readFileSync(rules, "utf8").replaceAll("mark", "scratch"));
  await openFirst();
  await page.waitForFunction(() => /the file has changed/.test(document.getElementById("notice").textContent));
  writeFileSync(sheet, readFileSync(rules));
  await leave();
});

test("an experiment is watched while it is played, and stays whole when it is killed", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", isHurried: true });
  const games = () =>
    page.$eval(".progress", (line) => Number(/([\d,]+) of/.exec(line.textContent)[1].replaceAll(",", "")));
  const running = beginExperiment();
  try {
    await page.waitForTimeout(500);
    await page.goto(`${house.url}#/results/long`);
    await page.waitForFunction(() => /being played now/.test(document.querySelector("main").textContent));
    const first = await games();
    await page.waitForFunction(
      (before) =>
        Number(/([\d,]+) of/.exec(document.querySelector(".progress").textContent)[1].replaceAll(",", "")) > before,
      first,
    );
  } finally {
    await running.kill();
  }
  const seen = await games();
  await page.reload();
  await page.waitForSelector(".progress");
  assert.ok((await games()) >= seen, "what was shown is in the records");
  await page.click(".grid a >> nth=0");
  await page.click("text=Game 0");
  await page.waitForFunction(() => /Step 0 of \d+/.test(document.getElementById("status")?.textContent));
  await leave();
});

test("the page fits a telephone", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:6", size: { width: 360, height: 740 }, dark: true });
  await clickSomeMove(page);
  await turn(page);
  assert.equal(await page.evaluate(() => scrollY), 0, "the board stays in sight");
  for (const hash of ["#/play", "#/results", "#/results/tiny", "#/papers"]) {
    await page.evaluate((hash) => (location.hash = hash), hash);
    await page.waitForTimeout(300);
    const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(needed <= there, `${hash} is ${needed} wide`);
    if (hash === "#/play") {
      const board = await page.locator(".board svg").boundingBox();
      assert.ok(board.width > 300 && board.y > 0 && board.y < 200, JSON.stringify(board));
      await picture(page, "phone");
    }
  }
  await leave();
});
