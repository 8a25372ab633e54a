export { inOwnProcess } from "./own-process.ts";
export { serveOverStdio } from "./serve-over-stdio.ts";
