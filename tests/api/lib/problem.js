// What every error answer of the HTTP core must look like.
import assert from "node:assert/strict";
import { ask, closes } from "./server.js";

// An error has one shape everywhere.
export function assertProblem(answer, status, code) {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers["content-type"], "application/json");
  const body = answer.json();
  assert.equal(body.ok, false);
  assert.equal(typeof body.error, "string");
  assert.match(body.code, /^[a-z0-9_]+$/);
  if (code) assert.equal(body.code, code);
}

export async function refused(port, request, status, code) {
  const answer = await ask(port, request);
  assertProblem(answer, status, code);
  assert.ok(await closes(answer.raw), "the connection must be closed when the framing is in doubt");
  assert.equal(answer.raw.data.length, 0, "nothing after it may be answered");
}
