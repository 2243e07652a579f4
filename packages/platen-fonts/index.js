// Where the font files are, and their bytes.

/** The folder of the files: `fontFolder` of createWorkerEngine. */
export const fontFolder = new URL("./files/", import.meta.url);

async function load(name) {
  const url = new URL(encodeURIComponent(name), fontFolder);
  if (url.protocol === "file:") {
    const fs = "node:fs/promises"; // a variable, so that bundlers for the browser do not look for it
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ fs)).readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} could not be loaded: the answer was ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The files of these names, as `addFonts` and the option `fonts` take them. */
export async function loadFonts(names) {
  return Promise.all(names.map(async (name) => ({ name, data: await load(name) })));
}
