import { ProviderError } from "./errors.ts";
import type { ConnectOptions, ModelEvent, RetryEvent, StreamOptions } from "./provider.ts";
import { wait } from "./wait.ts";

/** Says how a request is made again whose try `attempt`, counted from 1, has failed; throws if it is not. */
export type Decide = (error: ProviderError, attempt: number) => RetryEvent;

/**
 * The events of `open()`, which is called anew as often as its stream fails before anything came of it and `decide`
 * says so. An abort before it, or in between, ends the events with `finish` reason `aborted`. What `open` itself throws
 * is no failure of the request and passes.
 */
export async function* streamAgain(
  open: () => AsyncIterable<ModelEvent>,
  decide: Decide,
  { signal }: StreamOptions = {},
): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) return yield aborted;
    const events = open();
    let hasBegun = false;
    try {
      for await (const event of events) {
        if (event.type !== "retry") hasBegun = true;
        yield event;
      }
      return;
    } catch (error) {
      if (hasBegun || !(error instanceof ProviderError)) throw error;
      if (signal?.aborted) return yield aborted;
      const retry = decide(error, attempt);
      yield retry;
      await wait(retry.delay, signal);
    }
  }
}

/** The same for a request that is answered as a whole. The retries stand before its events. */
export async function generateAgain(
  request: () => Promise<ModelEvent[]>,
  decide: Decide,
  { signal }: StreamOptions = {},
): Promise<ModelEvent[]> {
  const retries: RetryEvent[] = [];
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) return [...retries, aborted];
    const answer = request();
    try {
      return [...retries, ...(await answer)];
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (signal?.aborted) return [...retries, aborted];
      const retry = decide(error, attempt);
      retries.push(retry);
      await wait(retry.delay, signal);
    }
  }
}

/** The same for a session to be opened. An abort does not keep it from being asked for: it fails as it does then. */
export async function callAgain<T>(
  request: () => Promise<T>,
  decide: Decide,
  { signal, onRetry }: ConnectOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const answer = request();
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof ProviderError) || signal?.aborted) throw error;
      const retry = decide(error, attempt);
      onRetry?.(retry);
      await wait(retry.delay, signal);
    }
  }
}

const aborted: ModelEvent = { type: "finish", reason: "aborted" };
