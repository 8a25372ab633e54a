import type { ProviderError } from "../errors.ts";
import type { RetryEvent } from "../provider.ts";
import type { Decide } from "./start-again.ts";

export interface RetryPolicy {
  /** Tries in all, the first one included; 3 by default. */
  attempts?: number | undefined;
  /** Milliseconds before the second try if the server does not say how long; doubled at each further one. 500 by default. */
  baseDelay?: number | undefined;
  /** What doubling does not go beyond, in milliseconds; 8,000 by default. */
  maxDelay?: number | undefined;
  /**
   * The longest wait that a server may ask for, in milliseconds; 60,000 by default. For longer ones the error is thrown
   * at once: a try before the time would fail.
   */
  maxRetryAfter?: number | undefined;
  /** Which errors are worth another try; by default those with `retryable`. */
  retryOn?: ((error: ProviderError) => boolean) | undefined;
  /** Called before each wait, also where there is no stream that could tell. What it throws ends the request. */
  onRetry?: ((retry: RetryEvent) => void) | undefined;
  /** From 0 to below 1; `Math.random` by default. */
  random?: (() => number) | undefined;
}

/**
 * Says whether, and when, a request is made again.
 *
 * @throws RangeError if a value of the policy is out of its range
 */
export function toDecide(policy: RetryPolicy): Decide {
  const { attempts = 3, baseDelay = 500, maxDelay = 8_000, maxRetryAfter = 60_000 } = policy;
  const { retryOn = ({ retryable }) => retryable, onRetry, random = Math.random } = policy;
  if (!(Number.isInteger(attempts) && attempts >= 1)) {
    throw new RangeError(`\`attempts\` is ${attempts}: it counts the tries in all, and is a whole number above 0.`);
  }
  for (const [name, time] of Object.entries({ baseDelay, maxDelay, maxRetryAfter })) {
    if (!(time >= 0)) throw new RangeError(`\`${name}\` is ${time}: it is a number of milliseconds, 0 or more.`);
  }

  return (error, attempt) => {
    const told = error.retryAfter === undefined ? undefined : Math.ceil(error.retryAfter * 1000);
    if (attempt >= attempts || !retryOn(error) || (told !== undefined && told > maxRetryAfter)) throw error;
    const backoff = Math.min(maxDelay, baseDelay * 2 ** (attempt - 1));
    const delay = told ?? Math.round((backoff * (1 + random())) / 2);
    const retry: RetryEvent = { type: "retry", attempt, delay, code: error.code, message: error.message };
    onRetry?.(retry);
    return retry;
  };
}
