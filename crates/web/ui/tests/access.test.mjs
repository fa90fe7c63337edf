// What everybody needs: names for everything that can be operated, and a page that is small.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { newPage, open, visit } from "./page.mjs";

let house;
before(async () => {
  house = await open();
});
after(() => house?.close());

const OPERATED = ["button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "spinbutton", "slider"];

/** What a screen reader would call nothing. */
async function nameless(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  return nodes
    .filter((node) => !node.ignored && OPERATED.includes(node.role?.value) && !node.name?.value?.trim())
    .map((node) => node.role.value);
}

/** The contrast of two colours, as the guidelines for accessibility count it. */
const CONTRAST = () => {
  const channel = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  /** How light colours are that lie on each other, the lowest first. */
  const light = (colours) => {
    for (const colour of ["white", ...colours]) {
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map((value) => channel(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const grounds = (element) =>
    element === null ? [] : [...grounds(element.parentElement), getComputedStyle(element).backgroundColor];
  return [
    ...document.querySelectorAll("main p, main button:enabled, main label, main legend, main h2, main h3, main a"),
  ]
    .filter((element) => element.textContent.trim() && element.checkVisibility() && !element.closest("svg"))
    .map((element) => {
      const below = grounds(element);
      const [a, b] = [light([...below, getComputedStyle(element).color]), light(below)].sort((x, y) => y - x);
      return { text: element.textContent.trim().slice(0, 30), ratio: (a + 0.05) / (b + 0.05) };
    })
    .filter(({ ratio }) => ratio < 4.5);
};

for (const dark of [false, true])
  test(`everything has a name and can be read, on a ${dark ? "dark" : "light"} page`, async () => {
    const size = dark ? { width: 390, height: 844 } : undefined;
    const seats = ["person", "uct"];
    const { page, leave } = await visit(house, { game: "breakthrough:5", seats, budget: "sims=50", size, dark });
    await page.click("text=Hint");
    await page.waitForSelector(".line button");
    for (const hash of ["#/play", "#/write", "#/results", "#/papers"]) {
      await page.evaluate((hash) => (location.hash = hash), hash);
      await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
      await page.waitForTimeout(300);
      assert.deepEqual(await nameless(page), [], hash);
      assert.deepEqual(await page.evaluate(CONTRAST), [], hash);
    }
    await leave();
  });

test("the page is small", async () => {
  const { page, leave } = await newPage(house);
  await page.goto(house.url);
  const files = await page.evaluate(async () => {
    const names = ["", "app.js", "app.css", "icon.svg"];
    return Promise.all(names.map(async (name) => (await fetch(`/${name}`)).text()));
  });
  const bytes = files.reduce((sum, text) => sum + gzipSync(text).length, 0);
  console.log(`the page has ${bytes} bytes, compressed`);
  assert.ok(bytes < 250_000, String(bytes));
  await leave();
});
