// The browser, and what it is told to do without.

import { chromium } from "playwright-core";
import { existsSync } from "node:fs";

/** An address that leads here, but that the browser does not trust as it trusts its own machine. */
export const ELSEWHERE = "10.1.2.3";

/** A folder with a newer build of the page than the program has, while somebody works on it. */
export const build = process.env.LUDENS_UI;

/** Chromium without windows, where there is one: drawing its own buttons takes the whole one half of its time. */
const programs = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

export const beginBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? programs.find((program) => existsSync(program)),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`,
      // Files that the test itself serves come from nowhere, and nowhere must not reach this machine.
      ...(build ? ["--disable-features=LocalNetworkAccessChecks"] : []),
    ],
  });
