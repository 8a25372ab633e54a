import { wait } from "@cogency/async";
import { isProviderError, type ProviderError } from "../errors.ts";
import type { ConnectOptions, ModelEvent, RetryEvent, StreamOptions } from "../provider.ts";

/** Returns how to retry after try number `attempt`, counted from 1, has failed; throws if there is no retry. */
export type Decide = (error: ProviderError, attempt: number) => RetryEvent;

/**
 * Streams the events of `open()`. If the stream fails before its first event and `decide` returns a retry, calls `open()`
 * again. Retries are numbered continuously, including those that the stream of `open()` reports. An abort before or
 * between the calls ends the events with `finish` reason `aborted`. Errors thrown by `open` itself pass through unchanged.
 */
export async function* streamAgain(
  open: () => AsyncIterable<ModelEvent>,
  decide: Decide,
  { signal }: StreamOptions = {},
): AsyncGenerator<ModelEvent> {
  const counted = retryCounter();
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) return yield aborted;
    const events = open();
    let hasBegun = false;
    try {
      for await (const event of events) {
        if (event.type !== "retry") hasBegun = true;
        yield event.type === "retry" ? counted(event) : event;
      }
      return;
    } catch (error) {
      if (hasBegun || !isProviderError(error)) throw error;
      if (signal?.aborted) return yield aborted;
      const retry = decide(error, attempt);
      yield counted(retry);
      await wait(retry.delay, signal);
    }
  }
}

/** The same for a request that returns all events at once. The retries come before them. */
export async function generateAgain(
  request: () => Promise<ModelEvent[]>,
  decide: Decide,
  { signal }: StreamOptions = {},
): Promise<ModelEvent[]> {
  const retries: RetryEvent[] = [];
  const counted = retryCounter();
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) return [...retries, aborted];
    const answer = request();
    try {
      const events = await answer;
      return [...retries, ...events.map((event) => (event.type === "retry" ? counted(event) : event))];
    } catch (error) {
      if (!isProviderError(error)) throw error;
      if (signal?.aborted) return [...retries, aborted];
      const retry = decide(error, attempt);
      retries.push(counted(retry));
      await wait(retry.delay, signal);
    }
  }
}

/** The same for opening a session. The request is made even if the signal has aborted, and then fails by itself. */
export async function callAgain<T>(
  request: (options: ConnectOptions) => Promise<T>,
  decide: Decide,
  options: ConnectOptions = {},
): Promise<T> {
  const { signal } = options;
  const counted = retryCounter();
  const onRetry = options.onRetry && ((retry: RetryEvent) => options.onRetry?.(counted(retry)));
  for (let attempt = 1; ; attempt++) {
    const answer = request({ ...options, onRetry });
    try {
      return await answer;
    } catch (error) {
      if (!isProviderError(error) || signal?.aborted) throw error;
      const retry = decide(error, attempt);
      onRetry?.(retry);
      await wait(retry.delay, signal);
    }
  }
}

/** Renumbers retries, because providers wrap each other and each counts its own. */
function retryCounter(): (retry: RetryEvent) => RetryEvent {
  let attempt = 0;
  return (retry) => ({ ...retry, attempt: ++attempt });
}

const aborted: ModelEvent = { type: "finish", reason: "aborted" };
