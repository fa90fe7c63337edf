// The page in a real browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { clickSomeMove, isOver, open, picture, playExperiment, serve, status, turn, visit } from "./page.mjs";

let house;
before(async () => {
  await playExperiment();
  house = await open();
});
after(() => house?.close());

for (const { game, longest } of [
  { game: "breakthrough:4x5", longest: 60 },
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
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save SGF")]);
      assert.match(readFileSync(await download.path(), "utf8"), /GM\[havannah\]SZ\[3\].*;W\[[a-e][1-5]\];B\[/);
    }
    await leave();
  });
}

test("the overlay, the bars and the numbers change while a search runs", async () => {
  const { page, leave } = await visit(house, { game: "havannah:5", seats: ["uct+ppa", "uct+ppa"], budget: "ms=4000" });
  await page.waitForSelector(".overlay polygon");
  const look = () =>
    page.evaluate(() => ({
      overlay: document.querySelector(".overlay").innerHTML,
      bars: [...document.querySelectorAll(".bars tbody td:nth-child(3)")].map((cell) =>
        Number(cell.textContent.replaceAll(",", "")),
      ),
      simulations: Number(document.querySelector("[data-figure=simulations]").textContent.replaceAll(",", "")),
    }));
  const first = await look();
  await page.waitForFunction(
    (before) => Number(document.querySelector("[data-figure=simulations]").textContent.replaceAll(",", "")) > before,
    first.simulations,
  );
  const second = await look();
  assert.notEqual(first.overlay, second.overlay);
  assert.ok(
    second.bars.length > 5 && second.bars.every((visits, place) => place === 0 || visits <= second.bars[place - 1]),
    String(second.bars),
  );
  await page.check("input[value=weights]");
  await page.waitForFunction(() => document.querySelectorAll(".overlay polygon").length > 50);
  await page.waitForFunction(() => document.querySelectorAll(".thinking .chart polyline").length >= 5);
  await picture(page, "weights");
  await page.click("text=Pause");
  const frozen = await look();
  await page.waitForTimeout(500);
  assert.equal((await look()).simulations, frozen.simulations, "a search that was stopped goes on");
  await leave();
});

test("an engine answers, and its opinion is shown", async () => {
  const { page, leave } = await visit(house, {
    game: "breakthrough:6",
    seats: ["person", "uct+mast@solver=on"],
    budget: "ms=300",
  });
  for (let step = 0; step < 3; step++) {
    await turn(page);
    await clickSomeMove(page, (count) => Math.floor(count / 2));
  }
  await turn(page);
  assert.ok((await page.$$(".mind .chart")).length >= 2, "charts of chances and of weights");
  await page.click("text=Hint");
  await page.waitForSelector(".overlay g[data-move]");
  await page.waitForFunction(() => /about this position/.test(document.querySelector(".who").textContent));
  await page.evaluate(() => scrollTo(0, 0));
  await picture(page, "play");
  await leave();
});

test("two players are compared side by side with one click", async () => {
  const { page, leave } = await visit(house, {
    game: "nogo:6",
    seats: ["person", "person"],
    budget: "ms=700",
    moves: "c3;d4",
  });
  await page.click("text=Compare");
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll(".side .overlay")].filter((overlay) => overlay.children.length > 10).length === 2,
  );
  await page.waitForFunction(() => document.querySelectorAll(".side .bars tr.chosen").length === 2);
  await page.evaluate(() => document.querySelector(".comparison").scrollIntoView());
  await picture(page, "compare");
  await leave();
});

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
  const sound = readFileSync(new URL("../../../games/rules/tictactoe.kif", import.meta.url));
  await page.setInputFiles("#sheet", { name: "mine.kif", mimeType: "text/plain", buffer: sound });
  await page.waitForFunction(() => location.hash.includes("sheet%3Amine"));
  await clickSomeMove(page);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length >= 1);
  await leave();
});

test("an experiment leads to a recorded game on the board", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5" });
  await page.click("nav >> text=Results");
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
  await page.click("h2 a >> text=sironi2021");
  await page.waitForSelector("h1 >> text=sironi2021");
  await leave();
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

test("the page fits a telephone", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:6", size: { width: 360, height: 740 }, dark: true });
  await clickSomeMove(page);
  await turn(page);
  for (const hash of ["#/play", "#/results", "#/results/tiny", "#/papers"]) {
    await page.evaluate((hash) => (location.hash = hash), hash);
    await page.waitForTimeout(300);
    const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(needed <= there, `${hash} is ${needed} wide`);
    if (hash === "#/play") {
      const board = await page.locator(".board svg").boundingBox();
      assert.ok(board.width > 300 && board.y < 200, JSON.stringify(board));
      await page.evaluate(() => scrollTo(0, 0));
      await picture(page, "phone");
    }
  }
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
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save SGF")]);
  const sgf = readFileSync(await download.path(), "utf8");
  assert.match(sgf, /^\(;FF\[4\].*GM\[1\]SZ\[5\]KM\[7\.5\].*;B\[cc\];W\[bd\]\)\n$/);
  const [record] = await Promise.all([page.waitForEvent("download"), page.click("text=Save JSON")]);
  const json = JSON.parse(readFileSync(await record.path(), "utf8"));
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

test("a player is built from the parts of the registry", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5", seats: ["person", "uct"], budget: "sims=50" });
  const seat = page.locator("fieldset.seat").nth(1);
  await seat.locator("summary").click();
  await seat.locator("text=Add a playout policy").click();
  await page.waitForFunction(() => document.querySelectorAll("fieldset.seat .spec")[1].value === "uct+mast");
  await seat.locator("label.param", { hasText: "eps" }).locator("input").fill("0.7");
  await seat.locator("label.param", { hasText: "eps" }).locator("input").press("Tab");
  await page.waitForFunction(() => document.querySelectorAll("fieldset.seat .spec")[1].value === "uct+mast(eps=0.7)");
  await seat.locator(".spec").fill("uct+nonsense");
  await seat.locator(".spec").press("Tab");
  await page.waitForFunction(() => /known are/.test(document.querySelectorAll("fieldset.seat .error")[1].textContent));
  await clickSomeMove(page);
  await turn(page);
  assert.match(await page.textContent(".who"), /uct\+mast\(eps=0\.7\)/);
  await leave();
});

test("a game that does not exist is told, and the page goes on", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:5" });
  await page.evaluate(() => (location.hash = "#/play?game=chess"));
  await page.waitForFunction(() => /unknown game/.test(document.getElementById("notice").textContent));
  await clickSomeMove(page);
  await leave();
});

test("a server that is killed in the middle of a search loses nothing", async () => {
  const first = await serve();
  const at = { browser: house.browser, url: first.url };
  const { page, leave } = await visit(at, { game: "breakthrough:6", seats: ["person", "uct"], budget: "ms=5000" });
  await clickSomeMove(page);
  const played = await page.textContent(".moves");
  await page.waitForSelector(".bars");
  await first.kill();
  await page.waitForFunction(() => /does not answer/.test(document.getElementById("notice").textContent));
  assert.equal(await page.textContent(".moves"), played);
  const second = await serve(new URL(first.url).port);
  await page.click("text=Go on from here");
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length === 2);
  assert.ok((await page.textContent(".moves")).startsWith(played));
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length === 2);
  await leave();
  await second.kill();
});
