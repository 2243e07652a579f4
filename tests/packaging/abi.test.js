// tools/abi: passes before the first release, and after it finds what breaks programs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "abi-"));
after(() => fs.rmSync(folder, { recursive: true }));
const abi = (argument = [], from = folder) => {
  const done = spawnSync("tools/abi", argument, { encoding: "utf8", env: { ...process.env, ABI_FOLDER: from, GIT_DIR: "/nonexistent" } }); // no tags
  return { status: done.status, output: done.stdout + done.stderr };
};
const abigail = { skip: spawnSync("abidiff", ["--version"]).status !== 0 && "abigail-tools are not installed" };

test("before the first release it says so, and passes", () => {
  const done = abi();
  assert.equal(done.status, 0, done.output);
  assert.match(done.output, /no release yet/);
});
test("after a release: the same interface passes, a lost function and a longer structure fail", abigail, () => {
  const saved = abi(["--save"]);
  assert.equal(saved.status, 0, saved.output);
  const file = path.join(folder, fs.readdirSync(folder)[0]);
  const same = abi();
  assert.equal(same.status, 0, same.output);
  const text = fs.readFileSync(file, "utf8");
  assert.ok(!text.includes(process.cwd()), "no path of this machine");
  const changed = (what, other) => {
    assert.notEqual(other, text);
    fs.writeFileSync(file, other);
    const done = abi();
    assert.equal(done.status, 1, what);
    assert.match(done.output, /the interface has changed/);
  };
  changed("a function that is not there any more", text.replaceAll("platen_size_in_dots", "platen_size_in_points"));
  changed("a structure of another size", text.replace(/(<class-decl name='platen_bitmap' size-in-bits=')(\d+)/, (_, before, bits) => `${before}${Number(bits) - 64}`));
});
const RELEASES = "packaging/abi";
if (fs.readdirSync(RELEASES).some((each) => each.endsWith(`-${os.machine()}.abi`))) {
  test("libplaten keeps the interface of the last release", abigail, () => {
    const done = abi([], RELEASES);
    assert.equal(done.status, 0, done.output);
    assert.match(done.output, /compatible with \d/);
  });
}
