// The page with the renderer of its own in front of a service that was built without one: files of the page come from a folder that
// web/build.mjs has made, all else from the service.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2" };
/** Of the worker that draws: the same as in web/build.mjs. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

export async function pageServer(folder, service) {
  const policy = (await fetch(service)).headers.get("content-security-policy");
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, service);
    const file = path.join(folder, pathname === "/" ? "index.html" : path.normalize(decodeURIComponent(pathname)));
    if (request.method === "GET" && fs.statSync(file, { throwIfNoEntry: false })?.isFile()) {
      const headers = { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream", "Content-Security-Policy": path.basename(file) === "draw-worker.js" ? WORKER_POLICY : policy };
      response.writeHead(200, headers).end(fs.readFileSync(file));
      return;
    }
    const asked = http.request(new URL(request.url, service), { method: request.method, headers: { ...request.headers, host: new URL(service).host } }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    asked.on("error", () => response.destroy());
    response.on("close", () => asked.destroy());
    request.pipe(asked);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => (server.closeAllConnections(), server.close()) };
}
