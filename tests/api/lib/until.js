// Waiting for an event, with a deadline for what never comes.

/** For what never comes, not for what is slow: on a busy machine everything takes many times as long as on an idle one. */
export const HANG_MS = 180_000;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `check()` gives something true, and gives that. `what`: for the message; else it is the check's own text. */
export async function until(check, what = check, ms = HANG_MS) {
  for (const end = Date.now() + ms; ; await sleep(10)) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
  }
}
