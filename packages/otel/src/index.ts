export type { AgentMeasureOptions } from "./measure-agent.ts";
export { measureAgent } from "./measure-agent.ts";
export type { StoreMeasureOptions } from "./measure-store.ts";
export { measureStore } from "./measure-store.ts";
export type { WorkerMeasureOptions } from "./measure-worker.ts";
export { measureWorker } from "./measure-worker.ts";
export type { TraceOptions } from "./trace-agent.ts";
export { traceAgent } from "./trace-agent.ts";
