import { atLeast, callback, checkOptions, whole } from "@cogency/protocol/options";
import type { ProviderError } from "../errors.ts";
import type { RetryEvent } from "../provider.ts";
import type { Decide } from "./start-again.ts";

export interface RetryPolicy {
  /** The number of tries, including the first. Defaults to 3. */
  attempts?: number | undefined;
  /** Milliseconds before the second try if the server does not say; doubled for each further try. Defaults to 500. */
  baseDelay?: number | undefined;
  /** The largest delay that doubling reaches, in milliseconds. Defaults to 8,000. */
  maxDelay?: number | undefined;
  /**
   * The longest wait that a server may ask for, in milliseconds. Defaults to 60,000. If the server asks for more, the error
   * is thrown at once, because an earlier try would fail.
   */
  maxRetryAfter?: number | undefined;
  /** Whether to try again after this error. Defaults to its `retryable`. */
  retryOn?: ((error: ProviderError) => boolean) | undefined;
  /** Called before each wait, also where no stream can carry the event. An error that it throws ends the request. */
  onRetry?: ((retry: RetryEvent) => void) | undefined;
  /** Returns a number from 0 to below 1. Defaults to `Math.random`. */
  random?: (() => number) | undefined;
}

/**
 * Decides whether, and when, a request is retried.
 *
 * @throws TypeError for an unknown option and one of a wrong type, RangeError if a value of the policy is out of its range
 */
export function toDecide(policy: RetryPolicy): Decide {
  const time = atLeast(0, "milliseconds");
  checkOptions<RetryPolicy>("withRetry", policy, {
    attempts: whole(1),
    baseDelay: time,
    maxDelay: time,
    maxRetryAfter: time,
    retryOn: callback,
    onRetry: callback,
    random: callback,
  });
  const { attempts = 3, baseDelay = 500, maxDelay = 8_000, maxRetryAfter = 60_000 } = policy;
  const { retryOn = ({ retryable }) => retryable, onRetry, random = Math.random } = policy;

  return (error, attempt) => {
    const asked = error.retryAfter === undefined ? undefined : Math.ceil(error.retryAfter * 1000);
    if (attempt >= attempts || !retryOn(error) || (asked !== undefined && asked > maxRetryAfter)) throw error;
    const backoff = Math.min(maxDelay, baseDelay * 2 ** (attempt - 1));
    const delay = asked ?? Math.round((backoff * (1 + random())) / 2);
    const retry: RetryEvent = { type: "retry", attempt, delay, code: error.code, message: error.message };
    onRetry?.(retry);
    return retry;
  };
}
