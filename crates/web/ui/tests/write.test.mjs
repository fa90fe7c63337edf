// The editor for rulesheets.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clickSomeMove, newPage, open, picture } from "./page.mjs";

let house;
before(async () => {
  house = await open();
});
after(() => house?.close());

const verdict = (page, text) =>
  page.waitForFunction((text) => document.getElementById("rules-verdict")?.textContent.includes(text), text);

test("a rule of tic-tac-toe is changed and played", async () => {
  const { page, leave } = await newPage(house);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${house.url}#/write`);
  await verdict(page, "This can be played.");
  const text = await page.inputValue("#rules-text");
  assert.ok((await page.locator(".highlighted .keyword").count()) > 20, "keywords are highlighted");
  // An error is told while somebody types, with its place.
  await page.fill("#rules-text", text.replace("(role crosses)", "(role crosses"));
  await page.waitForSelector("#rules-verdict.error");
  assert.equal(await page.isDisabled("text=Play it now"), true);
  await page.click(".remarks-list button >> nth=0");
  await page.waitForSelector(".line-numbers .error");
  await picture(page, "write");
  // Whoever has marked the middle has won.
  const changed = `${text}\n(<= terminal (true (cell 2 2 x)))\n`;
  await page.fill("#rules-text", changed);
  await verdict(page, "This can be played");
  await page.fill("#rules-file", "middle");
  await page.press("#rules-file", "Tab");
  await page.reload();
  await verdict(page, "This can be played");
  assert.equal(await page.inputValue("#rules-text"), changed, "kept by the browser");
  await page.click(".write >> text=Copy link");
  await verdict(page, "is copied");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.click("text=Play it now");
  await page.waitForSelector(".cell");
  await page.selectOption("[aria-label^='Who plays'] >> nth=1", "person");
  await page.click("[data-cell='2 2']");
  await page.waitForFunction(() => /wins?\b|draw|is over/.test(document.getElementById("status").textContent));
  await leave();
  const other = await newPage(house);
  await other.page.goto(link);
  await verdict(other.page, "This can be played");
  assert.equal(await other.page.inputValue("#rules-text"), changed);
  await other.leave();
});

test("every bundled sheet can be started from", async () => {
  const { page, leave } = await newPage(house, { size: { width: 390, height: 844 } });
  await page.goto(`${house.url}#/write?game=gdl%3Anim`);
  await verdict(page, "This can be played");
  assert.match(await page.inputValue("#rules-text"), /heap/);
  await page.locator("#rules-text").pressSequentially("; mine");
  await page.reload();
  await verdict(page, "This can be played");
  assert.match(await page.inputValue("#rules-text"), /; mine/, "a reload loses nothing");
  await page.selectOption("#rules-start", "gdl:hex7");
  await page.waitForFunction(() => document.getElementById("rules-text").value.includes("rhombus"));
  const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(needed <= there, `the editor is ${needed} wide`);
  await verdict(page, "This can be played");
  await page.click("text=Play it now");
  await page.waitForSelector(".cell.next");
  await clickSomeMove(page);
  await leave();
});
