// Debian's Chromium for the browser tests ($CHROMIUM names another): quiet, without a profile, asking nobody anything. It is the one
// without windows, which computes a quarter less.
import { chromium } from "playwright-core";

/** For a page that hangs, not for one that is slow: on a busy machine everything takes many times as long as on an idle one. */
export const DEADLINE_MS = 180_000;

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium-headless-shell",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
