// Processor time of programs under test: what they cost, however busy the machine is.
import { spawnSync } from "node:child_process";
import { ofProcess, processes } from "./server.js";

const TICKS = Number(spawnSync("getconf", ["CLK_TCK"], { encoding: "utf8" }).stdout) || 100;

/** Seconds that a process and all that it has started have computed, those that have ended included. */
export function processorSeconds(pid) {
  return processes(pid).reduce((sum, each) => {
    const text = ofProcess(each, "stat");
    // After the name, which may hold anything: state is field 3, utime to cstime are 14 to 17.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return sum + fields.slice(11, 15).reduce((ticks, value) => ticks + Number(value), 0) / TICKS; // ended: its parent has counted it
  }, 0);
}
