// Boards as players know them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clickSomeMove, open, picture, status, turn, visit } from "./page.mjs";

let house;
before(async () => {
  house = await open();
});
after(() => house?.close());

const people = ["person", "person", "person"];

test("a game of Go on 9x9 is played to its end, and the score is told", async () => {
  // A wall of black on the fifth column and one of white on the sixth.
  const wall = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((row) => [`e${row}`, `f${row}`]);
  const { page, leave } = await visit(house, { game: "go:9", seats: people, moves: wall.slice(0, -2).join(";") });
  assert.equal(await page.locator(".ground circle").count(), 5, "star points");
  assert.equal(await page.locator(".ground line").count(), 18);
  for (const [point, played] of [
    ["e9", 17],
    ["f9", 18],
  ]) {
    await page.click(`[data-cell=${point}]`);
    // A click that comes before the board shows the last move is lost.
    await page.waitForFunction((played) => document.querySelectorAll(".moves li").length === played, played);
  }
  assert.equal(await page.locator(".signs .last").count(), 1);
  await page.click(".asides >> text=Pass");
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length === 19);
  await page.keyboard.press("p");
  await page.waitForFunction(() => /wins/.test(document.getElementById("status").textContent));
  // Five columns against four and 7.5 points.
  assert.match(await status(page), /black wins\. black 45 points, white 43\.5 \(36 and 7\.5 komi\)\./);
  assert.equal(await page.locator(".owned.black").count(), 36);
  assert.equal(await page.locator(".owned.white").count(), 27);
  await picture(page, "go");
  await leave();
});

test("a ko is marked", async () => {
  const moves = "b3;c3;a2;d2;b1;c1;c2;b2";
  const { page, leave } = await visit(house, { game: "go:5", seats: people, moves });
  await page.waitForSelector(".signs .ko");
  assert.equal(await page.locator("[data-cell=c2].next").count(), 0);
  await page.evaluate(() => (location.hash = "#/play?game=misere-nogo"));
  await page.waitForFunction(() => document.querySelectorAll(".ground line").length === 16);
  await leave();
});

test("cells whose neighbours lie in six directions are hexagons, and pegs stand in holes", async () => {
  const { page, leave } = await visit(house, { game: "gdl:hex7", seats: people });
  const corners = await page.$eval(".cell polygon", (cell) => cell.getAttribute("points").split(" ").length);
  assert.equal(corners, 6);
  await clickSomeMove(page);
  await page.evaluate(() => (location.hash = "#/play?game=gdl%3Achinesecheckers3"));
  await page.waitForFunction(() => document.querySelectorAll(".ground .hole").length === 37);
  const rows = await page.$$eval(
    ".ground .hole",
    (holes) => new Set(holes.map((hole) => hole.getAttribute("cy"))).size,
  );
  assert.equal(rows, 9);
  await clickSomeMove(page);
  await picture(page, "star", false);
  await leave();
});

test("chess pieces are drawn as such, and draughts kings have crowns", async () => {
  const { page, leave } = await visit(house, { game: "gdl:skirmish", seats: people });
  assert.equal(await page.locator(".piece path").count(), 32);
  assert.equal(await page.locator(".piece text").count(), 0);
  await page.evaluate(() => (location.hash = "#/play?game=gdl%3Acheckers"));
  await page.waitForFunction(() => document.querySelectorAll(".piece .ring").length === 24);
  assert.equal(await page.locator(".ground .unused").count(), 32);
  await page.click("[data-cell='2 3']");
  await page.click("[data-cell='1 4']");
  await page.waitForFunction(() => document.querySelector(".moves").textContent === "b3-a4");
  await leave();
});

test("quarters of the board are turned by arrows", async () => {
  const { page, leave } = await visit(house, { game: "gdl:pentago", seats: people });
  await page.click("[data-cell='1 6']");
  await page.waitForFunction(() => document.querySelectorAll(".turn").length === 8);
  await picture(page, "pentago", false);
  await page.focus(".turn[data-move='(rotate upper-left clockwise)']");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length === 2);
  assert.match(await page.textContent(".moves"), /a6rotate upper left clockwise/);
  assert.match(await page.getAttribute("[data-cell='3 6']", "aria-label"), /red/, "the marble went round the corner");
  await page.click("[data-cell='1 1']");
  const arrow = page.locator(".turn[data-move='(rotate upper-left clockwise)']");
  await arrow.waitFor();
  const before = await arrow.boundingBox();
  await page.click("text=Flip");
  const after = await arrow.boundingBox();
  assert.ok(after.x > before.x && after.y > before.y, "the arrows go round with the board");
  await leave();
});

test("cards and heaps are clicked", async () => {
  const { page, leave } = await visit(house, { game: "gdl:nim", seats: people });
  assert.equal(await page.locator(".token").count(), 12);
  await page.click("[aria-label='leave 1 in c']");
  await page.waitForFunction(() => document.querySelectorAll(".token").length === 8);
  await page.evaluate(() => (location.hash = "#/play?game=gdl%3Agoofspiel"));
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 10);
  await picture(page, "cards", false);
  await leave();
});

test("several boards form a square, a triangle has its tip above, and squares that are played on are dark", async () => {
  const { page, leave } = await visit(house, { game: "gdl:tictactoe3d", seats: people });
  const tops = await page.$$eval(".cell", (cells) => new Set(cells.map((cell) => cell.getBoundingClientRect().y)).size);
  assert.equal(tops, 8, "two boards of four rows below each other");
  assert.match((await page.locator(".board .label").allTextContents()).join(""), /abcd/, "columns as moves name them");
  await page.click("[data-cell='3 2 1']");
  await page.waitForFunction(() => document.querySelector(".moves").textContent === "3:b1");
  await page.evaluate(() => (location.hash = "#/play?game=gdl%3Apegs"));
  await page.waitForFunction(() => document.querySelectorAll(".ground .hole").length === 15);
  const y = (name) => page.$eval(`[data-cell='${name}']`, (cell) => cell.getBoundingClientRect().y);
  assert.ok((await y("1 5")) < (await y("1 1")));
  await page.evaluate(() => (location.hash = "#/play?game=gdl%3Asheepandwolf"));
  await page.waitForFunction(() => document.querySelectorAll(".ground .unused").length === 32);
  assert.equal(await page.locator(".cell.dark").count(), 32);
  assert.doesNotMatch(await page.textContent(".board"), /control|clock/);
  await leave();
});

test("an amazon that has to shoot keeps its colour", async () => {
  const moves = "(move 2 1 2 4)";
  const { page, leave } = await visit(house, { game: "gdl:amazons6", seats: people, moves });
  assert.equal(await page.locator(".piece.white").count(), 2);
  assert.match(await page.textContent(".notes"), /b4: white/);
  await leave();
});

test("a board is flipped, and a piece is dragged", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: people });
  const at = async (name) => {
    const { x, y, width, height } = await page.locator(`[data-cell=${name}]`).boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  assert.ok((await at("a1")).y > (await at("a5")).y);
  await page.keyboard.press("f");
  await page.waitForFunction(() => {
    const y = (name) => document.querySelector(`[data-cell=${name}]`).getBoundingClientRect().y;
    return y("a1") < y("a5");
  });
  const [from, to] = [await at("b2"), await at("c3")];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector(".moves").textContent === "b2-c3");
  await leave();
});

test("a role has one colour on the board, in the chart and in text", async () => {
  const { page, leave } = await visit(house, { game: "gdl:connect5", seats: ["uct", "person"], budget: "sims=50" });
  await turn(page);
  await page.waitForSelector(".mind .chart .line", { state: "attached" });
  const colours = await page.evaluate(() => ({
    piece: getComputedStyle(document.querySelector(".piece path")).stroke,
    dot: getComputedStyle(document.querySelector(".seat .dot")).backgroundColor,
  }));
  const chances = await page.$eval(
    "section:has(h2:text('Chances over the game')) .chart polyline",
    (line) => getComputedStyle(line).stroke,
  );
  assert.equal(chances, colours.piece);
  assert.equal(colours.dot, colours.piece);
  await leave();
});
