// Bundles a module of the page with esbuild, as the build does, and imports it into a test.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../../web/label/src/", import.meta.url));

/** load("zpl/lexer"): the exports of web/label/src/zpl/lexer.ts. Several names give one bundle with all exports. */
export async function load(...names) {
  const lines = names.map((name) => `export * from ${JSON.stringify(`./${name}`)};`);
  const result = await build({
    stdin: { contents: lines.join("\n"), resolveDir: page, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    write: false,
    loader: { ".zpl": "text" },
    logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].contents).toString("base64")}`);
}
