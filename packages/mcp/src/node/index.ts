export { serveStdio } from "./serve-stdio.ts";
