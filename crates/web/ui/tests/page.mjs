// A server, a browser, and what a person does at the page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { beginBrowser, build } from "./browser.mjs";

export { ELSEWHERE } from "./browser.mjs";

const root = path.resolve(import.meta.dirname, "../../../..");
export const binary = process.env.LUDENS ?? path.join(root, "target/debug/ludens");
const pictures = path.resolve(root, process.env.LUDENS_SCREENSHOTS ?? "target/screenshots");
const gallery = path.join(root, "target/screenshots");
export const folder = mkdtempSync(path.join(tmpdir(), "ludens-browser-"));

const KINDS = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };

/** Takes the files of the page from the folder of the newer build. */
async function takeFromBuild(context) {
  await context.route(/^http:\/\/[^/]+\/(app\.js|app\.css|icon\.svg)?(#.*)?$/, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || "index.html";
    return route.fulfill({ contentType: KINDS[name.split(".").pop()], body: readFileSync(path.join(build, name)) });
  });
}

/** Starts the program with some arguments and waits for its first line. */
async function firstLine(args) {
  const child = spawn(binary, args, { stdio: ["ignore", "pipe", "inherit"], cwd: folder });
  for await (const line of createInterface({ input: child.stdout })) return { child, line };
  throw new Error(`${binary} ${args.join(" ")} said nothing`);
}

/** Runs the program to its end. */
export async function run(args) {
  const child = spawn(binary, args, { stdio: ["ignore", "ignore", "inherit"], cwd: folder });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  assert.equal(code, 0, args.join(" "));
}

/** The rules of tic-tac-toe. */
export const rules = path.join(root, "crates/catalog/rules/tictactoe.kif");

/** A rulesheet that an experiment names by its path. */
export const sheet = path.join(folder, "rules", "mine.kif");

/** Writes the file of an experiment. */
function experiment(name, text) {
  const file = path.join(folder, "experiments", `${name}.toml`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `name = "${name}"\n${text}\n[players]\nmast = "uct+mast"\nuct = "uct"\n`);
  return file;
}

/** An experiment that takes a moment. */
export async function playExperiment() {
  mkdirSync(path.dirname(sheet), { recursive: true });
  copyFileSync(rules, sheet);
  const file = experiment(
    "tiny",
    'about = "MAST against plain UCT on small boards."\ngames = ["breakthrough:5", "nogo:4", "rules/mine.kif"]\nbudgets = ["sims=20", "sims=80"]\ngames-per-cell = 10',
  );
  await run(["experiment", "run", file]);
}

/** An experiment that takes long: begins to play it. */
export function beginExperiment() {
  const file = experiment("long", 'games = ["breakthrough:8"]\nbudgets = ["sims=500"]\ngames-per-cell = 10000');
  const child = spawn(binary, ["experiment", "run", file, "--threads", "1"], { stdio: "ignore", cwd: folder });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  return {
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A server on a port, any by default. */
export async function serve(port = "0") {
  const { child, line } = await firstLine(["web", "--port", port, "--json"]);
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { url: JSON.parse(line).url, kill };
}

export async function open() {
  const { url, kill } = await serve();
  const browser = await beginBrowser();
  const close = async () => {
    await browser.close();
    await kill();
    rmSync(folder, { recursive: true });
  };
  return { url, browser, close };
}

/** Makes a page. It keeps its troubles until somebody takes them. */
async function makePage(browser) {
  const context = await browser.newContext({
    // Nobody watches, and moving pieces are drawn sixty times a second.
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  if (build) await takeFromBuild(context);
  const page = await context.newPage();
  // A busy machine takes its time.
  page.setDefaultTimeout(60_000);
  // Looking at every frame would make the browser draw sixty of them a second.
  const waitForFunction = page.waitForFunction.bind(page);
  page.waitForFunction = (condition, value, options) => waitForFunction(condition, value, { polling: 40, ...options });
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on(
    "console",
    (message) =>
      message.type() === "error" &&
      // A server that is gone or refuses is told on the page.
      !/Failed to load resource|^WebSocket connection to/.test(message.text()) &&
      troubles.push(message.text()),
  );
  return { page, troubles };
}

/** Pages that nobody needs at the moment. A new one takes the browser about a second of work. */
const idle = [];

/** A file of the page that shows nothing and asks for nothing, where the browser's memory can be filled. */
const QUIET = "icon.svg";

/**
 * A page that remembers nothing. What goes wrong in it fails the test. One whose clock or connections are tampered with, or
 * that is closed, is `isOwn`: nobody else gets it. Where `isHurried`, its clock runs ten times as fast, so that it soon asks again
 * for what it shows.
 */
export async function newPage(
  { browser, url },
  { size = { width: 1200, height: 800 }, dark = false, isHurried = false, isOwn = isHurried } = {},
) {
  const made = (isOwn ? undefined : idle.pop()) ?? (await makePage(browser));
  const { page, troubles } = made;
  let ticking;
  if (isHurried) {
    await page.clock.install();
    ticking = setInterval(() => page.clock.fastForward(1000).catch(() => undefined), 100);
  }
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  await page.goto(url + QUIET);
  await page.evaluate(() => localStorage.clear());
  const leave = async () => {
    clearInterval(ticking);
    if (isOwn) await page.context().close();
    else idle.push(made);
    assert.deepEqual(troubles.splice(0), []);
  };
  return { page, leave };
}

/** A page with some people and players at the board. */
export async function visit(house, { game, seats = ["person", "random"], budget = "ms=100", moves = "", ...options }) {
  const { page, leave } = await newPage(house, options);
  await page.evaluate(
    (settings) => localStorage.setItem("ludens.settings", settings),
    JSON.stringify({ seats, budget }),
  );
  const hash = `#/play?game=${encodeURIComponent(game)}${moves ? `&moves=${encodeURIComponent(moves)}` : ""}`;
  await page.goto(house.url + hash);
  await page.waitForSelector(".board svg, .board .hand, .board .fact");
  return { page, leave };
}

/** The text of a file that a click gives the person. */
export async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  const file = path.join(folder, download.suggestedFilename());
  await download.saveAs(file);
  return readFileSync(file, "utf8");
}

export const status = (page) => page.textContent("#status");
export const isOver = async (page) => /wins?\b|draw/.test(await status(page));

/** Waits until a person is to move or the game is over. */
export const turn = (page) =>
  page.waitForFunction(() => /to move: c|wins?\b|draw|is over/.test(document.getElementById("status").textContent));

/** Some number below another one: the same ones in every run (a linear congruential generator). */
let state = 1;
function someBelow(count) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % count;
}

/** Clicks the cells of a move: those that the board offers, one after the other. */
export async function clickSomeMove(page, pick = someBelow) {
  const before = await page.textContent(".moves");
  for (let click = 0; click < 4; click++) {
    // The board may be drawn again meanwhile: a locator finds the cell once more, a handle would not.
    const cells = page.locator(".cell.next");
    const count = await cells.count();
    if (count === 0) break;
    await cells.nth(pick(count)).click();
    if ((await page.$$(".cell.picked")).length === 0) break;
  }
  await page.waitForFunction((before) => document.querySelector(".moves").textContent !== before, before);
}

/** Drops a file on the page. */
export async function drop(page, name, text) {
  const dataTransfer = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent("main", "drop", { dataTransfer });
}

/** Takes a picture, for the documents if it is wanted there. */
export async function picture(page, name, isDocument = true) {
  const file = path.join(isDocument ? pictures : gallery, `${name}.png`);
  mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file });
}
