// The self-contained Linux tarball: in a root file system with nothing else in it, it renders, checks and serves.
// DEBIAN_SUITE=trixie: in that of another release of Debian instead (mmdebstrap). TARBALL=FILE: that of a release instead of one of the build.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { serving, watch } from "../api/lib/children.js";

const build = process.env.BUILD || "build";
const isRoot = process.getuid() === 0;
const options = { skip: !isRoot && "only root can change the root file system" };
const suite = process.env.DEBIAN_SUITE;
const root = fs.mkdtempSync(path.join(os.tmpdir(), "tarball-"));
// Scripts that font 0 does not have: they come from the fonts of the tarball.
const LABEL = "^XA^CI28^PW800^LL600^FO40,40^A0N,60^FDplaten สวัสดี 日本語 한국어 مرحبا^FS^FO40,200^BY3^BCN,120^FD12345678^FS^XZ\n";
let home = "";
const inside = (...command) => spawnSync("/usr/sbin/chroot", [root, ...command], { encoding: "utf8", env: {} });
const done = (result) => {
  assert.equal(result.status, 0, `${result.stdout}${result.stderr}${result.error ?? ""}`);
  return result.stdout;
};

before(() => {
  if (!isRoot) return;
  if (suite) execFileSync("mmdebstrap", ["--quiet", "--mode=root", "--variant=minbase", suite, root], { stdio: "inherit" });
  if (process.env.TARBALL) fs.copyFileSync(process.env.TARBALL, path.join(root, "t.tar.gz"));
  else execFileSync("tools/tarball", [build, path.join(root, "t.tar.gz")], { env: { ...process.env, SOURCE_DATE_EPOCH: "1700000000" } });
  execFileSync("tar", ["-C", root, "-xzf", path.join(root, "t.tar.gz")]);
  fs.rmSync(path.join(root, "t.tar.gz"));
  const version = fs.readFileSync("VERSION", "utf8").trim();
  home = `/platen-${version}-linux-${os.machine()}`;
  if (!suite) assert.deepEqual(fs.readdirSync(root), [home.slice(1)], "nothing else is in the root");
  fs.writeFileSync(path.join(root, "label.zpl"), LABEL);
});
after(() => fs.rmSync(root, { recursive: true, force: true }));

test("it renders the same bytes as the program here, fonts included", options, () => {
  done(inside(`${home}/platen`, "render", "/label.zpl", "-o", "/label.png"));
  const here = path.join(root, "here.png");
  done(spawnSync(`${build}/platen`, ["render", path.join(root, "label.zpl"), "-o", here], { encoding: "utf8" }));
  assert.ok(fs.readFileSync(path.join(root, "label.png")).equals(fs.readFileSync(here)));
  // Without its fonts the picture is another one: they were used.
  const without = spawnSync("/usr/sbin/chroot", [root, `${home}/platen`, "render", "/label.zpl", "-o", "/without.png"], { encoding: "utf8", env: { PLATEN_FONTS: "/nothing" } });
  done(without);
  assert.ok(!fs.readFileSync(path.join(root, "without.png")).equals(fs.readFileSync(here)));
});
test("it checks, reads barcodes back, and calculates grain", options, () => {
  const description = JSON.parse(done(inside(`${home}/platen`, "render", "--verify", "--format", "json", "/label.zpl", "-o", "-")));
  assert.match(JSON.stringify(description), /"decodedData":"12345678"/, "the reader of barcodes is there");
  const checked = inside(`${home}/platen`, "check", "/label.zpl");
  assert.ok(checked.status <= 1, checked.stderr);
  assert.equal(checked.stdout, spawnSync(path.resolve(build, "platen"), ["check", "label.zpl"], { encoding: "utf8", cwd: root }).stdout.replaceAll("label.zpl", "/label.zpl"));
  assert.match(done(inside(`${home}/hygro`, "--version")), /^hygro \d/);
  assert.match(done(inside(`${home}/hygro`, "calc", "corn", "25", "70")), /14/);
});
for (const program of ["platen", "hygro"]) {
  test(`${program} serves`, options, async () => {
    // A service needs /proc and /dev/null, which every container has. The mounts are in a namespace that ends with the program.
    for (const each of ["proc", "dev"]) fs.mkdirSync(path.join(root, each), { recursive: true });
    fs.writeFileSync(path.join(root, "dev/null"), "");
    const command = 'mount --bind /proc "$0/proc" && mount --bind /dev/null "$0/dev/null" && exec chroot "$0" "$@"';
    const child = watch(spawn("unshare", ["--mount", "sh", "-c", command, root, `${home}/${program}`, "serve", "--listen", "127.0.0.1:0", "--drain-delay", "0"], { env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }, stdio: ["ignore", "pipe", "pipe"] }));
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => { output += data; });
    while (!/listening on \S+\n/.test(output)) await Promise.race([once(child.stdout, "data"), once(child, "exit").then(() => assert.fail(output))]);
    serving(child);
    const url = /listening on (\S+)/.exec(output)[1];
    assert.equal((await (await fetch(`${url}/api/health`)).json()).ok, true);
    if (program === "platen") {
      const answer = await fetch(`${url}/api/render`, { method: "POST", body: LABEL, headers: { "Content-Type": "application/zpl" } });
      assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "image/png"]);
    } else {
      const answer = await fetch(`${url}/api/calculate`, { method: "POST", body: '{"grain":"corn","ta":25,"ur":70}', headers: { "Content-Type": "application/json" } });
      assert.deepEqual([answer.status, (await answer.json()).grain], [200, "corn"]);
    }
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "exit"), [0, null], output);
  });
}
