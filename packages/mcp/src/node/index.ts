export { type Loopback, type LoopbackOptions, loopback } from "./loopback.ts";
export type { ProgramOptions } from "./program.ts";
export { program } from "./program.ts";
export type { Launch } from "./running-program.ts";
export { serveStdio } from "./serve-stdio.ts";
export { tokenFile } from "./token-file.ts";
