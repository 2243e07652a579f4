// Platen in JavaScript: ZPL II label code to pictures and descriptions, without a server.
export { createEngine, Engine } from "./engine.js";
export { createWorkerEngine, WorkerEngine, type CallOptions, type WorkerEngineOptions } from "./worker-engine.js";
export { createPool, Pool, type BatchItem, type BatchResult, type PoolOptions } from "./pool.js";
export { PlatenError, type PlatenErrorCode } from "./errors.js";
export { loadModule } from "./load.js";
export type * from "./types.js";
