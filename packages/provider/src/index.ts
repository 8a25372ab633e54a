export type { ProviderErrorCode, ProviderErrorOptions } from "./errors.ts";
export { isRetryable, ProviderError } from "./errors.ts";
export { estimateUsage } from "./estimate-usage.ts";
export { generate } from "./generate.ts";
export type {
  Capabilities,
  ModelEvent,
  ModelRequest,
  Provider,
  Session,
  StreamOptions,
} from "./provider.ts";
export type {
  ScriptErrorCode,
  ScriptedOptions,
  ScriptedProvider,
  ScriptedReply,
  ScriptedResponse,
  ScriptedStep,
} from "./scripted.ts";
export { ScriptError, scripted } from "./scripted.ts";
export { sumUsage, zeroUsage } from "./usage.ts";
export { wait } from "./wait.ts";
