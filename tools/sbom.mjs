// Writes the software bill of materials: node tools/sbom.mjs BUILD. Called by tools/sbom.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const [build] = process.argv.slice(2);
const run = (program, ...args) => execFileSync(program, args, { encoding: "utf8" });
const tryRun = (...args) => {
  try {
    return execFileSync(args[0], args.slice(1), { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
};
const version = fs.readFileSync("VERSION", "utf8").trim();
const epoch = process.env.SOURCE_DATE_EPOCH ?? tryRun("git", "log", "-1", "--format=%ct").trim();
const created = new Date(epoch ? Number(epoch) * 1000 : Date.now()).toISOString().replace(/\.\d+Z$/, "Z");

const packages = [];
const relationships = [];
const id = (text) => `SPDXRef-${text.replace(/[^A-Za-z0-9.-]+/g, "-")}`;
function add(name, versionInfo, licence, purl, more = {}) {
  const SPDXID = id(`${purl ? purl.split(":")[1].split("/")[0] : "own"}-${name}`);
  if (!packages.some((each) => each.SPDXID === SPDXID))
    packages.push({ SPDXID, name, versionInfo, downloadLocation: "NOASSERTION", filesAnalyzed: false, licenseConcluded: "NOASSERTION", licenseDeclared: licence, copyrightText: "NOASSERTION",
      ...(purl ? { externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }] } : {}), ...more });
  return SPDXID;
}
const relate = (from, relationshipType, to) => relationships.push({ spdxElementId: from, relationshipType, relatedSpdxElement: to });

// The Debian package that a file belongs to. A path may have another name there: /lib is /usr/lib.
function debian(file) {
  const real = fs.realpathSync(file);
  for (const name of [file, real, real.replace(/^\/usr/, ""), path.join("/usr", file)]) {
    const owner = /^([^:]+)(?::\w+)?: /.exec(tryRun("dpkg-query", "-S", name));
    if (owner) return { name: owner[1], version: run("dpkg-query", "-W", "-f", "${Version}\n", owner[1]).split("\n")[0] };
  }
  return null;
}
const addDebian = (found) => add(found.name, found.version, "NOASSERTION", `pkg:deb/debian/${found.name}@${encodeURIComponent(found.version)}`);

// platen-broker is not in every build.
const programs = ["platen", "hygro", "platen-broker"].filter((name) => name !== "platen-broker" || fs.existsSync(path.join(build, name))).map((name) => {
  const file = path.join(build, name);
  const own = add(name, version, "MIT", "", { primaryPackagePurpose: "APPLICATION", checksums: [{ algorithm: "SHA256", checksumValue: createHash("sha256").update(fs.readFileSync(file)).digest("hex") }] });
  // All libraries that are loaded, also those of libraries.
  for (const [, library] of run("ldd", file).matchAll(/=> (\/\S+) /g)) {
    const found = debian(library);
    if (found) relate(own, "DYNAMIC_LINK", addDebian(found));
  }
  relate("SPDXRef-DOCUMENT", "DESCRIBES", own);
  return own;
});
// Fonts in the program: files that meson.build names.
for (const [, file] of fs.readFileSync("src/font/meson.build", "utf8").matchAll(/=(\/usr\/share\/fonts\/[^']+)'/g)) {
  const found = debian(file);
  if (found) relate(programs[0], "CONTAINS", addDebian(found));
}
// Fonts that are beside the programs in the tarball and in the image, and are used where they are installed.
for (const [, list] of fs.readFileSync("packaging/debian/control", "utf8").matchAll(/^Package: platen\n(?:.+\n)*?Recommends: (.+)$/gm)) {
  for (const name of list.split(/, */)) {
    const installed = tryRun("dpkg-query", "-W", "-f", "${Version}", name);
    if (installed) relate(addDebian({ name, version: installed }), "RUNTIME_DEPENDENCY_OF", programs[0]);
  }
}
// npm: fonts of font 0 and the page's packages come into the programs; esbuild makes the pages, markdown-it with what it needs the documentation.
const lock = JSON.parse(fs.readFileSync("package-lock.json", "utf8")).packages;
const buildTools = new Set(["esbuild", "markdown-it", ...Object.keys(lock["node_modules/markdown-it"].dependencies)]);
for (const [where, info] of Object.entries(lock)) {
  const name = where.replace(/^.*node_modules\//, "");
  if (!where || info.dev || info.optional) continue;
  const npm = add(name, info.version, info.license ?? "NOASSERTION", `pkg:npm/${name.replace("@", "%40")}@${info.version}`);
  if (buildTools.has(name)) for (const own of programs) relate(npm, "BUILD_TOOL_OF", own);
  else relate(programs[0], "CONTAINS", npm);
}
const namespace = createHash("sha256").update(JSON.stringify(packages)).digest("hex").slice(0, 32);
process.stdout.write(`${JSON.stringify({
  spdxVersion: "SPDX-2.3", dataLicense: "CC0-1.0", SPDXID: "SPDXRef-DOCUMENT", name: `platen-${version}`,
  documentNamespace: `https://spdx.org/spdxdocs/platen-${version}-${namespace}`,
  creationInfo: { created, creators: ["Tool: platen-tools-sbom"] }, packages, relationships,
}, null, 1)}\n`);
