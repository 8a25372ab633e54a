export type { Authenticate, User } from "./access/user.ts";
export { anonymousUser } from "./access/user.ts";
export type { Handler, HandlerOptions } from "./handler.ts";
export { createHandler } from "./handler.ts";
export type { LimitOptions } from "./limits/limits.ts";
export type { ProblemCode } from "./problem.ts";
export { Problem } from "./problem.ts";
