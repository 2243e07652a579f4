// tools/sbom: names what the programs are made of.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { test } from "node:test";

test("the bill of materials names every linked library, font and package of the page, and its references hold", () => {
  const sbom = JSON.parse(execFileSync("tools/sbom", { encoding: "utf8" }));
  assert.equal(sbom.spdxVersion, "SPDX-2.3");
  assert.match(sbom.creationInfo.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const ids = new Set(sbom.packages.map((each) => each.SPDXID));
  assert.equal(ids.size, sbom.packages.length, "every id once");
  for (const each of ids) assert.match(each, /^SPDXRef-[A-Za-z0-9.-]+$/);
  for (const { spdxElementId, relatedSpdxElement } of sbom.relationships)
    for (const each of [spdxElementId, relatedSpdxElement]) assert.ok(each === "SPDXRef-DOCUMENT" || ids.has(each), each);
  const names = sbom.packages.map((each) => each.name).join(" ");
  for (const name of [/\bplaten\b/, /\bhygro\b/, /libfreetype6/, /libharfbuzz0b/, /libzint/, /libzxing/, /libdeflate0/, /fonts-dejavu-core/, /fonts-ocr-a/, /fonts-ocr-b/, /fonts-noto-core/, /fonts-droid-fallback/, /fonts-nanum/,
    /@fontsource-variable\/oswald/, /@codemirror\/state/, /esbuild/])
    assert.match(names, name);
  for (const each of sbom.packages) assert.ok(each.versionInfo, each.name);
  // A build without RabbitMQ has no such program.
  if (fs.existsSync(`${process.env.BUILD || "build"}/platen-broker`)) {
    const idOf = (name) => sbom.packages.find((each) => each.name === name)?.SPDXID;
    const linked = sbom.relationships.filter((each) => each.relatedSpdxElement === idOf("librabbitmq4")).map((each) => each.spdxElementId);
    assert.deepEqual(linked, [idOf("platen-broker")], "only it has librabbitmq");
  }
});
