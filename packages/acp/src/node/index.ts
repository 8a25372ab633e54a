export { serveOverStdio } from "./serve-over-stdio.ts";
