export type { ReactDecision } from "./drivers/react/decision.ts";
export type { OwnDecision } from "./drivers/react/own-decision.ts";
export type { OutputMode } from "./drivers/react/react-prompt.ts";
export { type ReactDriverOptions, reactDriver } from "./drivers/react-driver.ts";
