export type { ProgramOptions } from "./program.ts";
export { program } from "./program.ts";
export type { Launch } from "./running-program.ts";
