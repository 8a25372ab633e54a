export { wait } from "@cogency/async";
export { attachmentsOf, contentText } from "./content.ts";
export type { ProviderErrorCode, ProviderErrorOptions } from "./errors.ts";
export { isProviderError, isRetryable, ProviderError } from "./errors.ts";
export { generate } from "./generate.ts";
export type { RotateKeysOptions } from "./keys/rotate-keys.ts";
export { rotateKeys } from "./keys/rotate-keys.ts";
export type {
  Capabilities,
  ConnectOptions,
  IgnoredEvent,
  ModelEvent,
  ModelRequest,
  Provider,
  RetryEvent,
  Session,
  StreamOptions,
} from "./provider.ts";
export { providerKind } from "./provider-kind.ts";
export type { RetryPolicy } from "./retry/retry-policy.ts";
export { withRetry } from "./retry/with-retry.ts";
export type {
  ScriptErrorCode,
  ScriptedOptions,
  ScriptedProvider,
  ScriptedReply,
  ScriptedResponse,
  ScriptedStep,
} from "./scripted.ts";
export { ScriptError, scripted } from "./scripted.ts";
export type { ThinkingLevel } from "./thinking-level.ts";
export { thinkingLevels } from "./thinking-level.ts";
export { estimateUsage } from "./usage/estimate-usage.ts";
export type { Price, Prices } from "./usage/prices.ts";
export { costOf, priceOf } from "./usage/prices.ts";
export { sumUsage, zeroUsage } from "./usage/usage.ts";
