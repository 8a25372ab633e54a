export type { HookOutcome } from "./hook-outcome.ts";
export { hookProblem } from "./hook-problem.ts";
export { type HookPoint, type HookProgram, hookName, hookPoints } from "./hook-program.ts";
export { type HookProgramsOptions, hookPrograms } from "./hook-programs.ts";
export { type TriedHook, tryHook } from "./try-hook.ts";
