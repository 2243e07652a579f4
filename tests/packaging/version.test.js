// The version: VERSION alone says it, everything else repeats it. The version of the interface (openapi.json) is another one.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { test } from "node:test";
import yaml from "js-yaml";
import { startService } from "../api/service.js";

const INTERFACE = "1.0.0";
const read = (file) => fs.readFileSync(file, "utf8");
const version = read("VERSION").trim();
const build = process.env.BUILD || "build";
const run = (program, ...args) => execFileSync(`${build}/${program}`, args, { encoding: "utf8" });
const commit = execFileSync("tools/commit", { encoding: "utf8" }).trim();

test("VERSION is three numbers and nothing else", () => assert.match(read("VERSION"), /^\d+\.\d+\.\d+\n$/));
for (const program of ["platen", "hygro"]) {
  test(`${program}: --version, the first line, health and metrics have the version of VERSION and one commit`, async () => {
    const [, shown, built] = new RegExp(`^${program} (\\S+)(?: \\(([0-9a-f]{12}(?:-dirty)?)\\))?\\n$`).exec(run(program, "--version"));
    assert.equal(shown, version);
    assert.equal(built === undefined, commit === "", "the commit is known where there is a git tree");
    assert.equal(run(program, "-V"), run(program, "--version"));
    const service = await startService(program, ["--log", "off"]);
    const get = async (path) => await (await fetch(`${service.url}${path}`)).text();
    const health = JSON.parse(await get("/api/health")), openapi = JSON.parse(await get("/openapi.json")), metrics = await get("/metrics"), llms = await get("/llms.txt");
    await service.stop();
    assert.deepEqual([health.version, health.commit], [version, built]);
    assert.match(llms, new RegExp(`\\bVersion ${version}\\.`));
    assert.ok(metrics.includes(`\n${program}_build_info{version="${version}",commit="${built ?? ""}"} 1\n`), metrics.slice(0, 500));
    assert.match(service.output(), new RegExp(`^listening on \\S+\\n${program} ${version.replaceAll(".", "\\.")}${built ? ` \\(${built}\\)` : ""}\\n`));
    assert.equal(openapi.info.version, INTERFACE, "the version of the interface is its own");
    for (const member of ["version", "commit"]) assert.equal(openapi.components.schemas.HealthResponse.properties[member].type, "string");
  });
}
test("the build takes the version from VERSION", () => {
  assert.match(read("meson.build"), /^project\('platen', 'c',\n  version: files\('VERSION'\),/m);
  for (const file of ["tools/package", "tools/image", "tools/abi", "tools/release", "tools/tarball", "tools/sbom.mjs", "tools/webassembly/write-build.mjs", "tools/webassembly/package.mjs"])
    assert.match(read(file), /\bVERSION\b/, file);
});
test("the public header and the shared library have it", () => {
  const header = read("include/platen/platen.h");
  const numbers = ["MAJOR", "MINOR", "PATCH"].map((part) => new RegExp(`^#define PLATEN_VERSION_${part} (\\d+)$`, "m").exec(header)[1]);
  assert.equal(numbers.join("."), version);
  assert.match(header, new RegExp(`^#define PLATEN_VERSION "${version}"$`, "m"));
  assert.ok(fs.existsSync(`${build}/libplaten.so.${version}`));
});
test("npm packages, the editors' extension, their lock files and the Python package have it", () => {
  for (const file of ["package.json", "packages/platen/package.json", "packages/platen-fonts/package.json", "packages/vscode/package.json"]) assert.equal(JSON.parse(read(file)).version, version, file);
  for (const file of ["package-lock.json", "packages/vscode/package-lock.json"]) {
    const lock = JSON.parse(read(file));
    assert.deepEqual([lock.version, lock.packages[""].version], [version, version], file);
  }
  assert.match(read("packages/python/pyproject.toml"), new RegExp(`^version = "${version}"$`, "m"));
});
test("images and the chart have it", () => {
  for (const file of ["deploy/kubernetes.yaml", "deploy/broker/kubernetes.yaml"]) {
    const tags = [...read(file).matchAll(/\b(?:image: |-t )platen(?:-work)?:(\S+)/g)].map((found) => found[1]);
    assert.ok(tags.length > 0, file);
    for (const tag of tags) assert.equal(tag, version, file);
  }
  const chart = yaml.load(read("deploy/helm/platen/Chart.yaml"));
  assert.deepEqual([chart.version, chart.appVersion], [version, version]);
});
test("the changelog has a section for it, with a date", () => assert.match(read("CHANGELOG.md"), new RegExp(`^## ${version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, "m")));
test("the changelog begins with it: no entry is outside of the release that has it", () => assert.match(/^## .*$/m.exec(read("CHANGELOG.md"))[0], new RegExp(`^## ${version} `)));
