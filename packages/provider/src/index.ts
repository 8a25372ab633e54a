export { wait } from "@cogency/async";
export type { ProviderErrorCode, ProviderErrorOptions } from "./errors.ts";
export { isRetryable, ProviderError } from "./errors.ts";
export { estimateUsage } from "./estimate-usage.ts";
export { generate } from "./generate.ts";
export type { Price, Prices } from "./prices.ts";
export { costOf, priceOf } from "./prices.ts";
export type {
  Capabilities,
  ConnectOptions,
  ModelEvent,
  ModelRequest,
  Provider,
  RetryEvent,
  Session,
  StreamOptions,
} from "./provider.ts";
export type { RetryPolicy } from "./retry-policy.ts";
export type { RotateKeysOptions } from "./rotate-keys.ts";
export { rotateKeys } from "./rotate-keys.ts";
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
export { withRetry } from "./with-retry.ts";
