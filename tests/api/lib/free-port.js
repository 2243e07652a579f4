// A port for a service that must have a number before it starts.
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";

// Below those that the system gives to connections: one of these could take the port before the service does.
const BELOW = Number(fs.readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s/)[0]);
const FROM = 10_000;

export async function freePort() {
  for (;;) {
    const port = FROM + Math.floor(Math.random() * Math.max(BELOW - FROM, 1000));
    const server = net.createServer();
    const isFree = await new Promise((resolve) => server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true)));
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
