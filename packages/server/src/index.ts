export type { Handler } from "./handler.ts";
export { createHandler } from "./handler.ts";
export type { HandlerOptions } from "./handler-options.ts";
export type { LimitOptions } from "./limit-options.ts";
export type { ProblemCode } from "./problem.ts";
export { Problem } from "./problem.ts";
export type { QuestionDetails, Questions } from "./questions.ts";
export type { Authenticate, User } from "./user.ts";
export { anonymousUser } from "./user.ts";
