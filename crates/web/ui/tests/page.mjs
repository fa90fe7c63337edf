// A server, a browser, and what a person does at the page.

import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const root = path.resolve(import.meta.dirname, "../../../..");
export const binary = process.env.LUDENS ?? path.join(root, "target/debug/ludens");
const pictures = path.resolve(root, process.env.LUDENS_SCREENSHOTS ?? "target/screenshots");
const gallery = path.join(root, "target/screenshots");
export const folder = mkdtempSync(path.join(tmpdir(), "ludens-browser-"));

/** An address that leads here, but that the browser does not trust as it trusts its own machine. */
export const ELSEWHERE = "10.1.2.3";

/** A folder with a newer build of the page than the program has, while somebody works on it. */
const build = process.env.LUDENS_UI;

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
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`,
      // Files that the test itself serves come from nowhere, and nowhere must not reach this machine.
      ...(build ? ["--disable-features=LocalNetworkAccessChecks"] : []),
    ],
  });
  const close = async () => {
    await browser.close();
    await kill();
    rmSync(folder, { recursive: true });
  };
  return { url, browser, close };
}

/** A new page. What goes wrong in it fails the test. */
export async function newPage({ browser }, size = { width: 1200, height: 800 }, dark = false) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: dark ? "dark" : "light",
    // Nobody watches, and moving pieces are drawn sixty times a second.
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  if (build) await takeFromBuild(context);
  const page = await context.newPage();
  // A busy machine takes its time.
  page.setDefaultTimeout(60_000);
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on(
    "console",
    (message) =>
      message.type() === "error" &&
      !message.text().includes("Failed to load resource") &&
      troubles.push(message.text()),
  );
  const leave = async () => {
    await context.close();
    assert.deepEqual(troubles, []);
  };
  return { page, leave };
}

/** A page with some people and players at the board. */
export async function visit(
  house,
  { game, seats = ["person", "random"], budget = "ms=100", moves = "", size = undefined, dark = false },
) {
  const { page, leave } = await newPage(house, size, dark);
  await page.addInitScript((settings) => {
    if (!localStorage.getItem("ludens.settings")) localStorage.setItem("ludens.settings", settings);
  }, JSON.stringify({ seats, budget }));
  const hash = `#/play?game=${encodeURIComponent(game)}${moves ? `&moves=${encodeURIComponent(moves)}` : ""}`;
  await page.goto(house.url + hash);
  await page.waitForSelector(".board svg, .board .hand, .board .fact");
  return { page, leave };
}

export const status = (page) => page.textContent("#status");
export const isOver = async (page) => /wins|draw|win \(/.test(await status(page));

/** Waits until a person is to move or the game is over. */
export const turn = (page) =>
  page.waitForFunction(() => /to move: c|wins|draw|is over/.test(document.getElementById("status").textContent));

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
