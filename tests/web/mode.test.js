// Tests of the editor's mode, completion and live rendering as they are put together.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.js";

const m = await load("zpl/mode", "zpl/help", "zpl/commands", "live", "api", "../../../tests/web/editor-state");

function nodesOf(text) {
  const found = [];
  m.zplLanguage.parser.parse(text).iterate({
    enter(node) {
      if (node.name !== "Document") found.push(text.slice(node.from, node.to));
    },
  });
  return found;
}

test("the mode parses through CodeMirror, over several lines", () => {
  assert.deepEqual(nodesOf("^XA\n^FO1,2^FDa b\nc^FS\n^XZ"), ["^XA", "^FO", "1", ",", "2", "^FD", "a b", "c", "^FS", "^XZ"]);
});

const table = new m.CommandTable();
table.fill(
  m.readCommands([
    { name: "^FO", summary: "Field origin", syntax: "^FOx,y" },
    { name: "^FD", summary: "Field data", syntax: "^FDa" },
    { name: "~JA", summary: "Cancel all", syntax: "~JA", support: "none" },
  ]),
);

function complete(text) {
  const position = text.indexOf("|");
  const state = m.makeState(text.replace("|", ""));
  return m.completeCommand(table)({ state, pos: position, explicit: false });
}

test("completion offers the commands of the prefix that was typed", () => {
  assert.deepEqual(complete("^XA^|").options.map((option) => option.label), ["^FO", "^FD"]);
  assert.deepEqual(complete("^XA~J|").options.map((option) => option.label), ["~JA"]);
  assert.equal(complete("^XA^F|").from, 3);
});

test("completion stays quiet in parameters and data", () => {
  assert.equal(complete("^FO10,2|"), null);
  assert.equal(complete("^FDHello wor|"), null);
  assert.equal(complete("plain|"), null);
});

test("completion writes the prefix in force", () => {
  assert.deepEqual(complete("^CC!!F|").options.map((option) => option.label), ["!FO", "!FD"]);
});

/** Time that passes only when a test lets it: no busy machine makes a pause longer. */
async function withClock(body) {
  const { setTimeout, clearTimeout } = globalThis;
  let now = 0;
  const due = new Map();
  globalThis.setTimeout = (work, milliseconds) => {
    const timer = {};
    due.set(timer, { at: now + milliseconds, work });
    return timer;
  };
  globalThis.clearTimeout = (timer) => due.delete(timer);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (milliseconds) => {
    const end = now + milliseconds;
    await settled();
    for (;;) {
      const [next] = [...due].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
      if (next === undefined) break;
      due.delete(next[0]);
      now = next[1].at;
      next[1].work();
      await settled();
    }
    now = end;
  };
  try {
    await body({ pass, time: () => now, wait: (milliseconds) => new Promise((resolve) => globalThis.setTimeout(resolve, milliseconds)) });
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}

function renderer(request) {
  const log = { answers: [], states: [] };
  const live = new m.LiveRenderer({
    request,
    answered: (answer) => log.answers.push(answer),
    changed: (state) => log.states.push(state.phase),
  });
  return { live, log };
}

test("typing waits for a pause and asks once", () =>
  withClock(async ({ pass }) => {
    let asked = 0;
    const { live, log } = renderer(async () => ++asked);
    for (let i = 0; i < 5; i++) {
      live.schedule();
      await pass(100);
    }
    assert.equal(asked, 0);
    await pass(20);
    assert.equal(asked, 1);
    assert.deepEqual(log.answers, [1]);
  }));

test("a stale answer is dropped, and its request ended", () =>
  withClock(async ({ pass, wait }) => {
    const signals = [];
    const { live, log } = renderer(async (signal) => {
      const number = signals.push(signal);
      await wait(number === 1 ? 150 : 10);
      return number;
    });
    live.now();
    await pass(30);
    live.now();
    await pass(250);
    assert.deepEqual(log.answers, [2]);
    assert.ok(signals[0].aborted);
  }));

test("a busy service is asked again after the time it named, not sooner", () =>
  withClock(async ({ pass, time }) => {
    const times = [];
    const { live, log } = renderer(async () => {
      times.push(time());
      if (times.length === 1) throw new m.RenderFailure("busy", "busy", 0.4);
      return "done";
    });
    live.now();
    await pass(100);
    live.schedule();
    await pass(600);
    assert.deepEqual(log.answers, ["done"]);
    assert.deepEqual(times, [0, 400]);
  }));

test("a refused label is not asked for again until something changes", () =>
  withClock(async ({ pass }) => {
    let asked = 0;
    const { live } = renderer(async () => {
      asked++;
      throw new m.RenderFailure("too-large", "too large", undefined);
    });
    live.now();
    await pass(60_000);
    assert.equal(asked, 1);
    live.schedule();
    await pass(300);
    assert.equal(asked, 2);
  }));
