// Runs the tests, or the files that are named, in one browser for all of them.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { beginBrowser } from "./browser.mjs";

/** Tests mostly wait: for a server, for a page to be drawn. */
const AT_ONCE = 4;

const folder = import.meta.dirname;
const all = readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
const named = process.argv.slice(2);
const files = (named.length > 0 ? named : all).map((name) => path.join(folder, path.basename(name)));
const browser = await beginBrowser();
const tests = spawn(process.execPath, ["--test", `--test-concurrency=${AT_ONCE}`, ...files], {
  stdio: "inherit",
  env: { ...process.env, LUDENS_BROWSER: browser.wsEndpoint() },
});
process.exitCode = await new Promise((resolve) => tests.on("exit", (code) => resolve(code ?? 1)));
await browser.close();
