// Debian's Chromium for the browser tests ($CHROMIUM names another): quiet, without a profile, asking nobody anything.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { chromium } from "playwright-core";

/** For a page that hangs, not for one that is slow: on a busy machine everything takes many times as long as on an idle one. */
export const DEADLINE_MS = 180_000;

/**
 * Each context is a window, and Chromium loads two pages of its own for the address bar of each: half a second of computing that
 * no test sees. Of two lists of features the last counts, so this one has Playwright's own, too.
 */
function withoutAddressBar() {
  const require = createRequire(import.meta.url);
  const switches = path.join(path.dirname(require.resolve("playwright-core/package.json")), "lib/server/chromium/chromiumSwitches.js");
  const theirs = fs.existsSync(switches) && require(switches).chromiumSwitches().find((each) => each.startsWith("--disable-features="));
  // Where another version of Playwright has its list elsewhere, the tests are slower.
  return theirs ? [`${theirs},WebUIOmniboxPopup,WebUIOmniboxAimPopup`] : [];
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...withoutAddressBar(),
    ],
  });
}
