// The extension as a .vsix: node packages/vscode/build.mjs [FILE]. Needs build-wasm/platen-lsp.wasm; tools/vsix makes all of it.
// A .vsix is a ZIP with a manifest of its own. Times of its files are fixed, so that the same sources give the same bytes.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { build } from "esbuild";

const folder = "packages/vscode";
const about = JSON.parse(fs.readFileSync(`${folder}/package.json`, "utf8"));
const target = process.argv[2] ?? `build-wasm/platen-${about.version}.vsix`;
const dist = `${folder}/dist`;

execFileSync("node_modules/.bin/tsc", ["-p", `${folder}/tsconfig.json`], { stdio: "inherit" });
fs.rmSync(dist, { recursive: true, force: true });
const common = { bundle: true, minify: true, target: "es2022", logLevel: "warning", legalComments: "inline", external: ["vscode"] };
for (const [name, platform, format] of [["node", "node", "cjs"], ["browser", "browser", "cjs"], ["server-node", "node", "cjs"], ["server-browser", "browser", "iife"]]) {
  await build({ ...common, entryPoints: [`${folder}/src/${name}.ts`], outfile: `${dist}/${name}.js`, platform, format });
}
fs.copyFileSync("build-wasm/platen-lsp.wasm", `${dist}/platen-lsp.wasm`);

// ---- what is in it

const files = ["README.md", "package.json", "grammars", "languages", "dist"].flatMap((name) => {
  const place = path.join(folder, name);
  return fs.statSync(place).isDirectory() ? fs.readdirSync(place).sort().map((inside) => `${name}/${inside}`) : [name];
});
const entries = new Map([
  ["extension.vsixmanifest", manifest()],
  ["[Content_Types].xml", contentTypes()],
  ...files.map((name) => [`extension/${name}`, fs.readFileSync(path.join(folder, name))]),
  ["extension/LICENSE.txt", fs.readFileSync("LICENSE")],
  // Libraries inside of the module, and the client's.
  ["extension/THIRD-PARTY.md", fs.readFileSync("THIRD-PARTY.md")],
  ...fs.readdirSync("packages/platen/licenses").sort().map((name) => [`extension/licenses/${name}`, fs.readFileSync(`packages/platen/licenses/${name}`)]),
  ...licences(),
]);
fs.writeFileSync(target, zip(entries));
console.log(`${target}: ${entries.size} files, ${fs.statSync(target).size} bytes`);

// The packages of npm that are bundled.
function licences() {
  const modules = `${folder}/node_modules`;
  return fs.readdirSync(modules).sort().flatMap((name) => {
    const file = ["License.txt", "LICENSE", "LICENSE.md", "license.txt"].map((one) => path.join(modules, name, one)).find((one) => fs.existsSync(one));
    return file && !name.startsWith("@") && !name.startsWith(".") ? [[`extension/licenses/${name}.txt`, fs.readFileSync(file)]] : [];
  });
}

function escape(text) {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function manifest() {
  const property = (id, value) => `      <Property Id="Microsoft.VisualStudio.${id}" Value="${escape(value)}" />\n`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${about.name}" Version="${about.version}" Publisher="${about.publisher}" />
    <DisplayName>${escape(about.displayName)}</DisplayName>
    <Description xml:space="preserve">${escape(about.description)}</Description>
    <Tags>${escape(about.keywords.join(","))}</Tags>
    <Categories>${escape(about.categories.join(","))}</Categories>
    <Properties>
${property("Code.Engine", about.engines.vscode)}${property("Code.ExtensionKind", "workspace,ui,web")}${property("Code.ExecutesCode", "true")}    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

function contentTypes() {
  const types = { ".json": "application/json", ".js": "application/javascript", ".wasm": "application/wasm", ".md": "text/markdown", ".txt": "text/plain", ".vsixmanifest": "text/xml" };
  const rows = Object.entries(types).map(([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join("")}</Types>\n`;
}

// ---- ZIP

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function zip(contents) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, content] of contents) {
    const bytes = Buffer.from(content);
    const packed = zlib.deflateRawSync(bytes, { level: 9 });
    const path = Buffer.from(name);
    const fields = Buffer.alloc(26); // what both heads have: version 2.0, UTF-8 names, deflate, 1 January 1980
    [20, 0x800, 8, 0, 0x21].forEach((value, i) => fields.writeUInt16LE(value, i * 2));
    [crc32(bytes), packed.length, bytes.length].forEach((value, i) => fields.writeUInt32LE(value, 10 + i * 4));
    fields.writeUInt16LE(path.length, 22);
    const tail = Buffer.alloc(14); // no comment, first disk, no attributes
    tail.writeUInt32LE(offset, 10);
    parts.push(Buffer.from("PK\x03\x04"), fields, path, packed);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, tail, path);
    offset += 4 + fields.length + path.length + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(contents.size, 4);
  end.writeUInt16LE(contents.size, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from("PK\x05\x06"), end]);
}
