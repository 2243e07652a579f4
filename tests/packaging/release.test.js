// tools/release: what it refuses, and the notes. A whole release takes ten minutes and needs root, mmdebstrap and packages for the other kind of
// machine, so it is made by hand (CONTRIBUTING.md); what it is made of has tests of its own: tarball, bill of materials, installed files.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";

const version = fs.readFileSync("VERSION", "utf8").trim();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "release-"));
after(() => fs.rmSync(folder, { recursive: true }));
// A tree of its own with the real scripts: that of the test need not be clean.
fs.mkdirSync(`${folder}/tools`);
for (const file of ["tools/release", "tools/lib.sh", "VERSION", "CHANGELOG.md"]) fs.copyFileSync(file, `${folder}/${file}`);
const git = (...args) => execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.org", ...args], { cwd: folder, stdio: "ignore" });
git("init", "-q");
git("add", "-A");
git("commit", "-qm", "all");
const release = (...args) => {
  const done = spawnSync("tools/release", args, { cwd: folder, encoding: "utf8" });
  return { status: done.status, out: done.stdout, said: done.stderr };
};

test("the notes are the changelog's section of the version, and have no link that leads nowhere", () => {
  const { status, out } = release("--notes");
  assert.equal(status, 0);
  assert.ok(out.startsWith(`# Platen and Hygro ${version}\n`));
  const [section] = fs.readFileSync("CHANGELOG.md", "utf8").split(new RegExp(`^## ${version.replaceAll(".", "\\.")} \\(.*$`, "m"))[1].split(/^## /m);
  const entries = (text) => text.split("\n").filter((line) => /^(- |\| )/.test(line)).length;
  assert.ok(entries(section) > 10);
  assert.equal(entries(out), entries(section), "every entry of it, and no other");
  assert.doesNotMatch(out, /\]\((?!https?:)/);
  for (const [, file] of section.matchAll(/\]\(((?:docs\/)?[A-Za-z-]+\.md)/g)) assert.ok(out.includes(file) && fs.existsSync(file), file);
});
test("it refuses a tree that is not clean, a version without notes and what is no option, and makes nothing then", () => {
  const refused = (args, sentence) => {
    const { status, said } = release(...args);
    assert.deepEqual([status !== 0, sentence.test(said)], [true, true], said);
    assert.ok(!fs.existsSync(`${folder}/out`) && !fs.existsSync(`${folder}/build`));
  };
  refused(["--all"], /usage: tools\/release/);
  fs.writeFileSync(`${folder}/left`, "");
  refused(["out"], /not clean/);
  fs.rmSync(`${folder}/left`);
  fs.writeFileSync(`${folder}/VERSION`, "99.0.0\n");
  git("commit", "-qam", "version");
  refused(["out"], /CHANGELOG\.md has no section for 99\.0\.0/);
});
