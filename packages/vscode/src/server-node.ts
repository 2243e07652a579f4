// The worker of node.
import { serve } from "./engine";

declare function require(name: "node:worker_threads"): { parentPort: { postMessage(message: object): void; on(event: "message", heard: (message: unknown) => void): void } };
const { parentPort } = require("node:worker_threads");

serve({ send: (message) => parentPort.postMessage(message), listen: (heard) => parentPort.on("message", heard) });
