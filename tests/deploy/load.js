// Load for the tests of deployments: so many connections at once, each with one request after the other.
import http from "node:http";

const LABEL = "^XA^FO40,40^A0N,40^FDload^FS^FO40,100^BCN,80^FD1234567890^FS^XZ";

export class Load {
  sent = 0;
  failures = [];
  #running = true;
  #done;
  constructor(port, connections) {
    this.agent = new http.Agent({ keepAlive: true, maxSockets: connections });
    this.#done = Promise.all(Array.from({ length: connections }, () => this.#run(port)));
  }
  async #run(port) {
    while (this.#running) {
      this.sent++;
      try {
        await this.#ask(port);
      } catch (error) {
        this.failures.push(error.message);
      }
    }
  }
  #ask(port) {
    return new Promise((resolve, reject) => {
      const request = http.request({ port, host: "127.0.0.1", agent: this.agent, method: "POST", path: "/api/render?format=png", headers: { "Content-Type": "application/zpl" } }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => {
          const body = Buffer.concat(parts);
          if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}: ${body.subarray(0, 100)}`));
          else if (body.toString("latin1", 1, 4) !== "PNG" || !answer.complete) reject(new Error("not a whole PNG"));
          else resolve();
        });
      });
      request.on("error", reject);
      request.end(LABEL);
    });
  }
  async stop() {
    this.#running = false;
    await this.#done;
    this.agent.destroy();
    return { sent: this.sent, failures: this.failures };
  }
}
