export type { Handler, HandlerOptions, Sender } from "./handler.ts";
export { createHandler } from "./handler.ts";
export type { ProblemCode } from "./problem.ts";
export { Problem } from "./problem.ts";
