// What goes wrong around a game, and how the page goes on: requests that end in nothing, links that lead nowhere, moves that
// somebody thinks better of.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { clickSomeMove, drop, newPage, open, rules, serve, status, turn, visit } from "./page.mjs";

let house;
before(async () => {
  house = await open();
});
after(() => house?.close());

const steps = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll(".moves li").length === count, count);
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("ludens.settings")));

test("a hint that fails is told, and nobody thinks any more", async () => {
  const own = await serve();
  const at = { browser: house.browser, url: own.url };
  const { page, leave } = await visit(at, { game: "breakthrough:5", seats: ["person", "uct"], isOwn: true });
  await own.kill();
  await page.click("text=Hint");
  await page.waitForFunction(() => /does not answer/.test(document.getElementById("notice").textContent));
  assert.doesNotMatch(await page.textContent("main"), /is thinking/);
  assert.equal(await page.isEnabled("button >> text=Hint"), true, "there is a way on");
  await leave();
});

test("a server that says nothing is given up", async () => {
  const { page, leave } = await newPage(house, { isOwn: true });
  await page.routeWebSocket(/api\/think/, () => undefined);
  await page.clock.install();
  await page.goto(`${house.url}#/play?game=breakthrough%3A5`);
  await page.click("button >> text=Hint");
  await page.waitForFunction(() => /is thinking/.test(document.querySelector(".who")?.textContent));
  await page.clock.fastForward(21_000);
  await page.waitForFunction(() => /does not answer/.test(document.getElementById("notice").textContent));
  assert.doesNotMatch(await page.textContent("main"), /is thinking/);
  await leave();
});

test("a game of one role leaves the other seat alone", async () => {
  const { page, leave } = await visit(house, { game: "gdl:pegs", seats: ["person", "uct+mast"] });
  assert.equal(await page.locator(".seats fieldset.seat").count(), 1);
  await page.selectOption("#game", "breakthrough");
  await page.waitForFunction(() => document.querySelectorAll(".seats fieldset.seat").length === 2);
  assert.equal(await page.locator(".seats fieldset.seat .spec").nth(1).inputValue(), "uct+mast");
  await leave();
});

test("a budget that makes no sense is refused and not kept", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: ["person", "uct"], budget: "ms=120" });
  for (const amount of ["-5", "0", "1.5", "9999999"]) {
    await page.fill("#budget", amount);
    await page.press("#budget", "Tab");
    await page.waitForSelector(".budget .error:not([hidden])");
    assert.equal((await kept(page)).budget, "ms=120", amount);
  }
  await page.fill("#budget", "130");
  await page.press("#budget", "Tab");
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("ludens.settings")).budget === "ms=130");
  await leave();
});

test("a reload loses neither opinions nor variations", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: ["person", "uct"], budget: "sims=200" });
  for (let move = 0; move < 2; move++) {
    await turn(page);
    await clickSomeMove(page);
  }
  await turn(page);
  await page.click("text=Undo");
  await steps(page, 2);
  await page.waitForSelector(".variations button");
  const [variations, bars] = [await page.textContent(".variations"), await page.textContent(".bars")];
  await page.reload();
  await page.waitForSelector(".bars");
  assert.equal(await page.textContent(".bars"), bars);
  assert.equal(await page.textContent(".variations"), variations);
  assert.ok((await page.locator(".mind .chart").count()) >= 1, "the chart of chances");
  await leave();
});

test("the way back leads to the game before", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: ["person", "person"], moves: "a2-a3" });
  await page.selectOption("#game", "gdl:nim");
  await page.waitForSelector(".token");
  await page.goBack();
  await steps(page, 1);
  assert.match(await status(page), /^a2-a3 was played/);
  await page.goForward();
  await page.waitForSelector(".token");
  await leave();
});

test("a bid is shown as taken, and can be taken back", async () => {
  const { page, leave } = await visit(house, { game: "gdl:goofspiel", seats: ["person", "uct"], budget: "ms=2500" });
  await page.click(".card[data-move='(bid 5)']");
  await page.waitForFunction(() => /left has chosen bid 5/.test(document.getElementById("status").textContent));
  await page.click("button >> text=Take back bid 5");
  await page.waitForFunction(() => /left to move/.test(document.getElementById("status").textContent));
  await page.click(".card[data-move='(bid 2)']");
  await steps(page, 1);
  assert.match(await page.textContent(".moves"), /bid 2 \/ bid \d/);
  await leave();
});

test("the board stays where it is from move to move", async () => {
  const { page, leave } = await visit(house, { game: "go:5", seats: ["person", "random"] });
  const top = () => page.evaluate(() => document.querySelector(".board svg").getBoundingClientRect().y);
  const before = await top();
  for (let move = 0; move < 3; move++) {
    await turn(page);
    await clickSomeMove(page);
    assert.equal(await top(), before);
  }
  await leave();
});

test("after a click on the board the arrow keys step through the game", async () => {
  const { page, leave } = await visit(house, { game: "gdl:tictactoe", seats: ["person", "person"] });
  await clickSomeMove(page);
  await clickSomeMove(page);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => /Step 1 of 2/.test(document.getElementById("status").textContent));
  await page.keyboard.press(".");
  await page.waitForFunction(() => /to move/.test(document.getElementById("status").textContent));
  await leave();
});

test("both boards of a comparison are in sight", async () => {
  const { page, leave } = await visit(house, { game: "nogo:5", seats: ["person", "person"], budget: "ms=100" });
  await page.click("text=Compare");
  await page.waitForFunction(() => document.querySelectorAll(".side .bars").length === 2);
  for (const board of await page.locator(".side .board svg").all()) {
    const { y, height } = await board.boundingBox();
    assert.ok(y >= 0 && y + height <= 800, `${y} ${height}`);
  }
  await leave();
});

test("results show that they are coming", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", isOwn: true });
  let come;
  const mayCome = new Promise((resolve) => (come = resolve));
  await page.route(/api\/results/, async (route) => {
    await mayCome;
    await route.continue();
  });
  await page.click("nav >> text=Measure");
  await page.waitForSelector(".skeleton");
  come();
  await page.waitForSelector("text=There are no records");
  assert.equal(await page.locator(".skeleton").count(), 0);
  await leave();
});

test("a link that leads nowhere leads as far as it can", async () => {
  const { page, leave } = await newPage(house);
  await page.goto(`${house.url}#/play?game=chess`);
  await page.waitForSelector(".board svg");
  assert.match(await page.textContent("#notice"), /unknown game.*another game instead/);
  await page.goto(`${house.url}#/play?game=breakthrough%3A5&moves=a2-a3;a4-a3;b2-b3&step=nonsense`);
  await page.waitForFunction(() => /The game is shown up to there/.test(document.getElementById("notice").textContent));
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length >= 1);
  assert.match(await page.textContent(".moves"), /^a2-a3/);
  await leave();
});

test("a link brings a small rulesheet along", async () => {
  const { page, leave } = await visit(house, { game: "gdl:nim", seats: ["person", "person"] });
  await drop(page, "mine.kif", readFileSync(rules, "utf8"));
  await page.waitForFunction(() => location.hash.includes("sheet=") && location.hash.includes("sheet%3Amine"));
  await clickSomeMove(page);
  const hash = await page.evaluate(() => location.hash);
  await leave();
  const elsewhere = await serve();
  const other = await newPage({ browser: house.browser, url: elsewhere.url }, { isOwn: true });
  await other.page.goto(elsewhere.url + hash);
  await other.page.waitForFunction(() => document.querySelectorAll(".moves li").length >= 1);
  assert.equal(await other.page.locator(".cell").count(), 9);
  await other.page.goto(`${elsewhere.url}#/play?game=sheet%3Ax&sheet=damaged`);
  await other.page.waitForFunction(() => /is damaged/.test(document.getElementById("notice").textContent));
  await other.leave();
  await elsewhere.kill();
});
