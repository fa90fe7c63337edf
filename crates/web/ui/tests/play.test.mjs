// Games and searches on the page, in a real browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import {
  ELSEWHERE,
  clickSomeMove,
  drop,
  isOver,
  open,
  picture,
  rules,
  saved,
  serve,
  status,
  turn,
  visit,
} from "./page.mjs";

let house;
before(async () => {
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
      assert.match(await saved(page, "text=Save SGF"), /GM\[havannah\]SZ\[3\].*;W\[[a-e][1-5]\];B\[/);
    }
    await leave();
  });
}

test("the page says which playouts the player uses, and how they score", async () => {
  const { page, leave } = await visit(house, {
    game: "gdl:connect4",
    seats: ["uct+auto", "uct+auto"],
    budget: "ms=1000",
  });
  await page.waitForSelector("[data-playouts] li");
  const told = await page.$$eval("[data-playouts] li", (rows) => rows.map((row) => row.textContent));
  assert.equal(told.length, 3);
  assert.ok(
    told.every((row) => / of the playouts, mean score 0\.\d{3}$/.test(row)),
    told.join("; "),
  );
  await leave();
});

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
  assert.equal(await page.evaluate(() => scrollY), 0, "the board stays in sight");
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
  await page.waitForFunction(() => /policies:/.test(document.querySelectorAll("fieldset.seat .error")[1].textContent));
  await clickSomeMove(page);
  await turn(page);
  assert.match(await page.textContent(".who"), /uct\+mast\(eps=0\.7\)/);
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

test("twenty games think in one browser, and a click is answered at once", async () => {
  const { page, leave } = await visit(house, { game: "breakthrough:8", seats: ["person", "person"] });
  const times = await page.evaluate(async () => {
    const question = { game: "breakthrough:8", moves: [], role: 0, player: "uct+ppa", budget: "ms=60000", seed: 1 };
    const thinking = Array.from({ length: 20 }, () => {
      const socket = new WebSocket(`ws://${location.host}/api/think`);
      return new Promise((resolve) => {
        socket.onopen = () => socket.send(JSON.stringify(question));
        socket.onmessage = () => resolve(socket);
      });
    });
    const sockets = await Promise.all(thinking);
    const list = document.querySelector(".moves");
    const times = [];
    for (let step = 1; step <= 12; step++) {
      const begun = performance.now();
      const moved = new Promise((resolve) => {
        const observer = new MutationObserver(
          () => list.children.length === step && (observer.disconnect(), resolve()),
        );
        observer.observe(list, { childList: true });
      });
      document.querySelector(".legal button").click();
      await moved;
      times.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    sockets.forEach((socket) => socket.close());
    return times.sort((a, b) => a - b);
  });
  console.log(`a click is answered in ${times[6].toFixed(1)} ms at the median, ${times[11].toFixed(1)} ms at worst`);
  // Behind the searches a click would wait for a minute.
  assert.ok(times[9] < 2000, String(times));
  await leave();
});

test("a page that is closed in the middle of a search is found again", async () => {
  const { page, leave } = await visit(house, {
    game: "breakthrough:6",
    seats: ["person", "uct"],
    budget: "ms=1500",
    isOwn: true,
  });
  await clickSomeMove(page);
  await page.waitForSelector(".bars");
  const [address, played] = [page.url(), await page.textContent(".moves")];
  await page.close();
  const again = await page.context().newPage();
  await again.goto(address);
  await again.waitForFunction(() => document.querySelectorAll(".moves li").length === 2);
  assert.ok((await again.textContent(".moves")).startsWith(played));
  await leave();
});

test("a server that is killed in the middle of a search loses nothing", async () => {
  const first = await serve();
  const at = { browser: house.browser, url: first.url };
  const { page, leave } = await visit(at, {
    game: "breakthrough:6",
    seats: ["person", "uct"],
    budget: "ms=2500",
    isOwn: true,
  });
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
