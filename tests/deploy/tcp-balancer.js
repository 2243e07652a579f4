// A balancer that knows connections and no requests, as kube-proxy is: each connection goes to the next endpoint that is ready.
// Readiness is asked for over HTTP, as kubelet does.
import http from "node:http";
import net from "node:net";

export async function startTcpBalancer(ports, periodMs = 500) {
  const ready = new Set();
  let turn = 0;
  const probe = (port) => http.get({ port, host: "127.0.0.1", path: "/api/health", agent: false, timeout: 1000 }, (answer) => {
    answer.resume();
    if (answer.statusCode === 200) ready.add(port);
    else ready.delete(port);
  }).on("error", () => ready.delete(port));
  const timer = setInterval(() => ports.forEach(probe), periodMs);
  ports.forEach(probe);
  const server = net.createServer({ noDelay: true }, (client) => {
    const list = [...ready].sort();
    if (list.length === 0) return client.destroy();
    const to = net.connect({ port: list[turn++ % list.length], host: "127.0.0.1", noDelay: true });
    client.pipe(to).pipe(client);
    client.on("error", () => to.destroy());
    to.on("error", () => client.destroy());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: server.address().port,
    isReady: (port) => ready.has(port),
    stop() {
      clearInterval(timer);
      server.close();
    },
  };
}
