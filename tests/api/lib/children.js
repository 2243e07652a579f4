// Programs that a test file starts: none outlives the file; one that ends though nobody ended it fails the file, with its status, what it
// said and where it crashed; so does every report of a sanitizer.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after } from "node:test";
import { HANG_MS } from "./until.js";

const running = new Set();
const troubles = [];
const KEPT = "build/crashes";

// `all`: also those that were asked to end and have not: LeakSanitizer may need many seconds for that on a busy machine.
function endThem(all) {
  for (const child of running) {
    if (child.mayEnd && !all) continue;
    troubles.push(`${child.spawnargs.join(" ")} (process ${child.pid}) was left running`);
    child.kill("SIGKILL");
    // A child of its own that is stopped may hold these open; the runner would wait for it.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

// The file's own hooks come after this one and end what they started; the timer is for what is left behind then and holds up the runner.
after(() => {
  setTimeout(endThem, 10_000, false).unref();
  setTimeout(endThem, HANG_MS, true).unref();
});

// The last word: whichever test it happened in, and whether that one noticed or not.
process.on("exit", () => {
  if (troubles.length === 0) return;
  process.exitCode = 1;
  fs.writeSync(2, `${troubles.join("\n")}\n`);
});

// What gdb says of the core file, which is kept. The system may write none, or elsewhere.
function crash(child) {
  const core = [`core.${child.pid}`, "core"].find((name) => fs.existsSync(name) && Date.now() - fs.statSync(name).mtimeMs < 60_000);
  if (!core) return "no core file";
  fs.mkdirSync(KEPT, { recursive: true });
  const kept = path.join(KEPT, `core.${path.basename(child.spawnfile)}.${child.pid}`);
  fs.copyFileSync(core, kept);
  fs.rmSync(core);
  const { stdout, error } = spawnSync("gdb", ["-batch", "-ex", "thread apply all backtrace", child.spawnfile, kept], { encoding: "utf8" });
  return `${kept}\n${error ? "gdb is not installed" : stdout}`;
}

/** `child`: with a pipe as its standard error, if it has any. From `serving(child)` on it must not end by itself. */
export function watch(child) {
  running.add(child);
  let said = "";
  child.once("close", () => running.delete(child));
  child.stderr?.on("data", (data) => {
    said = (said + data).slice(-20_000);
    // Also where a renderer's end is only an answer of the service.
    if (/Sanitizer|runtime error:/.test(data)) console.log(String(data));
  });
  const kill = child.kill.bind(child);
  child.kill = (signal = "SIGTERM") => {
    if (/^SIG(TERM|INT|KILL|QUIT)$/.test(signal)) mayEnd(child);
    return kill(signal);
  };
  child.once("exit", (code, signal) => {
    if (!child.serving || (child.mayEnd && !/^SIG(SEGV|ABRT|BUS|ILL|FPE|TRAP|SYS)$/.test(signal))) return;
    troubles.push(`the service ${child.spawnfile} (process ${child.pid}) ended by itself: status ${code}, signal ${signal}\n${signal ? crash(child) : ""}\n${said}`);
  });
  return child;
}

/** It serves: from now on nobody but the test, by `child.kill` or after `mayEnd(child)`, ends it. */
export function serving(child) {
  child.serving = true;
}

/** The test ends it by other means than `child.kill`. */
export function mayEnd(child) {
  child.mayEnd = true;
}
