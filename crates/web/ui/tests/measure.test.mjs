// Matches that are started, watched, paused and stopped on the page.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newPage, open, picture, saved } from "./page.mjs";

let house;
before(async () => {
  house = await open();
});
after(() => house?.close());

async function start(page, { players, games, count, name }) {
  await page.fill("[name=games]", games);
  await page.fill("[name=first]", players[0]);
  await page.fill("[name=second]", players[1]);
  await page.fill("[name=budget]", "sims=20");
  await page.fill("[name=count]", String(count));
  await page.fill("[name=name]", name);
  await page.click(".run-form >> text=Start");
}

/** The width of the first interval in the table, in percent. */
const width = (page) =>
  page.evaluate(() => {
    const text = [...document.querySelectorAll(".grid td")].map((cell) => cell.textContent);
    const [, low, high] =
      /^([\d.]+) to ([\d.]+)$/.exec(text.find((text) => /^[\d.]+ to [\d.]+$/.test(text)) ?? "") ?? [];
    return high === undefined ? null : Number(high) - Number(low);
  });

test("a match is started, its interval shrinks, and it is paused, gone on with and stopped", async () => {
  const { page, leave } = await newPage(house, { isHurried: true });
  await page.goto(`${house.url}#/results`);
  await page.waitForSelector(".run-form");
  await start(page, { players: ["uct+mast", "uct"], games: "breakthrough:8", count: 100000, name: "watched" });
  const run = page.locator("[data-run=watched]");
  await run.locator("text=is being played").waitFor();
  await start(page, { players: ["uct", "random"], games: "breakthrough:5", count: 4, name: "queued" });
  const queued = page.locator("[data-run=queued]");
  await queued.locator("text=waits for its turn").waitFor();
  await queued.locator("text=Stop").click();
  await queued.waitFor({ state: "detached" });
  await run.locator("a").click();
  await page.waitForSelector(".grid td");
  const first = await width(page);
  assert.ok(first !== null, "an interval is shown");
  await page.waitForFunction((before) => {
    const cells = [...document.querySelectorAll(".grid td")].map((cell) => cell.textContent);
    const [, low, high] =
      /^([\d.]+) to ([\d.]+)$/.exec(cells.find((text) => /^[\d.]+ to [\d.]+$/.test(text)) ?? "") ?? [];
    return high - low < before;
  }, first);
  await picture(page, "measure", false);
  await page.click("nav >> text=Measure");
  await page.waitForSelector(".cards .progress");
  await page.focus("[name=name]");
  const games = await page.textContent(".cards .progress");
  await page.waitForFunction((before) => document.querySelector(".cards .progress").textContent !== before, games);
  assert.equal(await page.evaluate(() => document.activeElement.name), "name", "the form keeps the focus");
  // A slow click, longer than the list takes to show more games.
  await run.locator("text=Pause").click({ delay: 500 });
  await run.locator("text=is paused").waitFor();
  await run.locator("text=Go on").click();
  await run.locator("text=is being played").waitFor();
  await run.locator("text=Stop").click();
  await run.waitFor({ state: "detached" });
  assert.ok((await page.locator(".cards >> text=watched").count()) === 1, "its records stay");
  await leave();
});

test("tables sort, filter and are saved; a cell leads to its games", async () => {
  const { page, leave } = await newPage(house, { isHurried: true });
  await page.goto(`${house.url}#/results`);
  await start(page, {
    players: ["uct", "random"],
    games: "breakthrough:5 nogo:4 domineering:4",
    count: 6,
    name: "sorted",
  });
  await page.locator("[data-run=sorted] >> text=is complete").waitFor();
  await page.locator("[data-run=sorted] a").click();
  await page.waitForSelector(".grid td");
  const games = () =>
    page.$$eval(".grid >> nth=0 >> tbody td:first-child", (cells) => cells.map((cell) => cell.textContent));
  await page.click(".grid .sort >> nth=0");
  const up = await games();
  await page.click(".grid .sort >> nth=0");
  assert.deepEqual(await games(), [...up].reverse());
  assert.equal(await page.getAttribute(".grid th >> nth=0", "aria-sort"), "descending");
  assert.match(await saved(page, "text=Save CSV >> nth=0"), /^game,/);
  await page.click(".grid a >> nth=0");
  await page.waitForSelector(".curves .chart");
  assert.equal(await page.locator(".curves .chart").count(), 2, "points and Elo over the games");
  await picture(page, "curves", false);
  await page.click("text=Game 0");
  await page.waitForFunction(() => /Step 0 of \d+/.test(document.getElementById("status")?.textContent));
  await leave();
});

test("a sequential test ends a match that is decided", async () => {
  const { page, leave } = await newPage(house, { isHurried: true });
  await page.goto(`${house.url}#/results`);
  await page.waitForSelector(".run-form");
  await page.check("[name=sprt]");
  await start(page, { players: ["uct", "random"], games: "breakthrough:5", count: 5000, name: "decided" });
  await page.locator("[data-run=decided] >> text=is complete").waitFor();
  await page.locator("[data-run=decided] a").click();
  await page.waitForSelector(".grid td");
  const played = await page.$eval(".progress", (line) =>
    Number(/([\d,]+) of/.exec(line.textContent)[1].replaceAll(",", "")),
  );
  assert.ok(played < 5000, String(played));
  await leave();
});

test("what cannot be played is refused with a reason", async () => {
  const { page, leave } = await newPage(house, { size: { width: 390, height: 844 } });
  await page.goto(`${house.url}#/results`);
  await page.waitForSelector(".run-form");
  await start(page, { players: ["uct+nonsense", "uct"], games: "breakthrough:5", count: 4, name: "refused" });
  await page.waitForFunction(() => /nonsense/.test(document.querySelector(".results .error").textContent));
  await page.fill("[name=budget]", "20");
  await page.click(".run-form >> text=Start");
  await page.waitForFunction(() => /sims=200/.test(document.querySelector(".results .error").textContent));
  await leave();
});
