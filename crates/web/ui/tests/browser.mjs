// The browser: one for all files of tests if somebody has begun it, else one for each.

import { chromium } from "playwright-core";

/** An address that leads here, but that the browser does not trust as it trusts its own machine. */
export const ELSEWHERE = "10.1.2.3";

/** A folder with a newer build of the page than the program has, while somebody works on it. */
export const build = process.env.LUDENS_UI;

const options = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`,
    // Files that the test itself serves come from nowhere, and nowhere must not reach this machine.
    ...(build ? ["--disable-features=LocalNetworkAccessChecks"] : []),
  ],
};

/** A browser to which files of tests connect. */
export const beginBrowser = () => chromium.launchServer(options);

export const browserHere = () => {
  const begun = process.env.LUDENS_BROWSER;
  return begun ? chromium.connect(begun) : chromium.launch(options);
};
