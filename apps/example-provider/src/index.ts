export type { EchoOptions } from "./echo.ts";
export { echo, echo as default } from "./echo.ts";
