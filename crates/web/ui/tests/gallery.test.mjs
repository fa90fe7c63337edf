// Every game of the catalogue, opened, played for three moves by the default player and photographed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, picture, visit } from "./page.mjs";

let house;
let choices;
before(async () => {
  house = await open();
  choices = await (await fetch(`${house.url}api/choices`)).json();
});
after(() => house?.close());

/** The ways in which people look at the page: each page of the test has one, and whoever wants pictures gets all. */
const [DESKTOP, PHONE] = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const WAYS = [
  { name: "desktop-light", size: DESKTOP, dark: false },
  { name: "phone-dark", size: PHONE, dark: true },
  { name: "desktop-dark", size: DESKTOP, dark: true },
  { name: "phone-light", size: PHONE, dark: false },
];
const WANTED = process.env.LUDENS_SCREENSHOTS !== undefined;

/** Games on one page after the other, so that one server and one browser do. */
const PAGES = 3;

test("every game of the catalogue is drawn and played", async () => {
  const games = choices.games.map((game) => game.name);
  const { player } = choices;
  const seen = [];
  const work = async (number) => {
    const way = WAYS[number];
    const { page, leave } = await visit(house, {
      game: games[0],
      seats: [player, player, player],
      budget: "ms=15",
      ...way,
    });
    for (let game = games.shift(); game !== undefined; game = games.shift()) {
      await page.evaluate((game) => (location.hash = `#/play?game=${encodeURIComponent(game)}`), game);
      const isPlayed = page.waitForFunction(
        (game) => {
          const isHere = document.getElementById("game")?.value === game;
          const isOver = /wins?\b|draw|is over/.test(document.getElementById("status")?.textContent);
          if (!isHere || (document.querySelectorAll(".moves li").length < 3 && !isOver)) return false;
          // At once: the engines hurry on.
          [...document.querySelectorAll("button")].find((button) => button.textContent === "Pause")?.click();
          return true;
        },
        game,
        { timeout: 60_000 },
      );
      await isPlayed.catch(async () => assert.fail(`${game}: ${await page.textContent(".play")}`));
      assert.equal(await page.isVisible("#notice"), false, `${game}: ${await page.textContent("#notice")}`);
      const isDrawn = await page.evaluate(
        () => document.querySelectorAll(".board .cell, .board .hand, .board .fact").length > 0,
      );
      assert.ok(isDrawn, `${game} is drawn`);
      assert.ok(!(await page.textContent(".moves")).includes("("), `${game} tells its moves in words`);
      for (const { name, size, dark } of WANTED ? WAYS : [way]) {
        if (WANTED) await page.setViewportSize(size);
        if (WANTED) await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
        await picture(page, `games/${game.replace(":", "-")}-${name}`, false);
      }
      seen.push(game);
    }
    await leave();
  };
  await Promise.all(Array.from({ length: PAGES }, (_, number) => work(number)));
  assert.equal(seen.length, choices.games.length);
});
