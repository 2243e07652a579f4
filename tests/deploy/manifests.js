// Kubernetes manifests held against Kubernetes' own schemas without a cluster. The npm packages kubernetes-models and
// @kubernetes-models/prometheus-operator hold them twice: as validators (required fields, types, formats, enumerations), which let unknown
// fields pass, and as TypeScript types, by which the compiler finds those.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import yaml from "js-yaml";

export const parse = (text) => yaml.loadAll(text).filter(Boolean);

const moduleOf = ({ apiVersion, kind }) =>
  `${apiVersion.startsWith("monitoring.coreos.com/") ? "@kubernetes-models/prometheus-operator" : "kubernetes-models"}/${apiVersion}/${kind}`;
const nameOf = (manifest) => `${manifest.kind} ${manifest.metadata?.name}`;

// schemaErrors(manifests): a line for everything that the schemas do not allow.
export async function schemaErrors(manifests) {
  const errors = [];
  const lines = ["export {};"];
  for (const manifest of manifests) {
    const from = moduleOf(manifest);
    try {
      const { [manifest.kind]: Model } = await import(from);
      new Model(manifest).validate();
    } catch (error) {
      errors.push(`${nameOf(manifest)}: ${error.message}`);
      continue;
    }
    // The types of some objects are loose where the schema is: a selector, for example, may have any label.
    lines.push(`const o${lines.length}: import("${from}").I${manifest.kind} = ${JSON.stringify(manifest)}; // ${nameOf(manifest)}`);
  }
  const folder = fs.mkdtempSync(path.join(process.env.BUILD || "build", "manifests-")); // inside the project, where its packages are found
  try {
    const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, module: "node16", target: "es2022", types: [] };
    fs.writeFileSync(path.join(folder, "manifests.ts"), lines.join("\n"));
    fs.writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["manifests.ts"] }));
    execFileSync("node_modules/.bin/tsc", ["-p", folder], { encoding: "utf8" });
  } catch (error) {
    for (const [, line, what] of error.stdout.matchAll(/\((\d+),\d+\): error [A-Z0-9]+: (.*)/g)) errors.push(`${lines[line - 1].split("// ").at(-1)}: ${what}`);
    if (!errors.length) throw new Error(error.stdout || error.message);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  return errors;
}
