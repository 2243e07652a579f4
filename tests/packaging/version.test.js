// The version: one place says it, everything else repeats it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { test } from "node:test";
import { startService } from "../api/service.js";

const version = /^project\('platen', 'c',\n  version: '([0-9.]+)'/m.exec(fs.readFileSync("meson.build", "utf8"))[1];
const run = (program, ...args) => execFileSync(`${process.env.BUILD || "build"}/${program}`, args, { encoding: "utf8" });

for (const program of ["platen", "hygro"]) {
  test(`${program} --version and its health tell the version of meson.build`, async () => {
    assert.equal(run(program, "--version"), `${program} ${version}\n`);
    assert.equal(run(program, "-V"), `${program} ${version}\n`);
    const service = await startService(program, ["--log", "off"]);
    const health = await (await fetch(`${service.url}/api/health`)).json();
    const openapi = await (await fetch(`${service.url}/openapi.json`)).json();
    await service.stop();
    assert.equal(health.version, version);
    assert.equal(openapi.info.version, version);
  });
}
test("package.json, its lock file, the npm packages and the deployment name the same version", () => {
  for (const file of ["package.json", "packages/platen/package.json", "packages/platen-fonts/package.json"]) assert.equal(JSON.parse(fs.readFileSync(file, "utf8")).version, version, file);
  const lock = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
  assert.equal(lock.version, version);
  assert.equal(lock.packages[""].version, version);
  for (const [, tag] of fs.readFileSync("deploy/kubernetes.yaml", "utf8").matchAll(/image: platen:(\S+)/g)) assert.equal(tag, version);
});
