// A file server that knows nothing of Platen, for the pages of web/dist. What it serves can be exchanged while it runs.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json" };

export async function fileServer(folder) {
  const files = {
    folder: path.resolve(folder),
    /** Called with a file's name, its bytes, the answer and the address; true: it has answered itself. */
    instead: undefined,
    /** Names of the files that were asked for. */
    asked: [],
  };
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const file = path.join(files.folder, name.endsWith("/") ? `${name}index.html` : name);
    files.asked.push(path.basename(file));
    if (!file.startsWith(files.folder) || !fs.existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const bytes = fs.readFileSync(file);
    if (files.instead?.(path.basename(file), bytes, response, name)) return;
    response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream" }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(files, {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  });
}
