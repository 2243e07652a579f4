// Programs that a test file starts: none outlives the file, and no report of a sanitizer is lost.
import { after } from "node:test";

const running = new Set();

function endThem() {
  for (const child of running) {
    child.kill("SIGKILL");
    // A child of its own that is stopped may hold these open; the runner would wait for it.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

// The file's own hooks come after this one and end what they started; the timer is for what is left behind then and holds up the runner.
after(() => setTimeout(endThem, 10_000).unref());

/** `child`: with a pipe as its standard error. */
export function watch(child) {
  running.add(child);
  child.once("close", () => running.delete(child));
  // tests/run-node looks for it in the log, also where a renderer's end is only an answer of the service.
  child.stderr?.on("data", (data) => {
    if (/Sanitizer|runtime error:/.test(data)) console.log(String(data));
  });
  return child;
}
