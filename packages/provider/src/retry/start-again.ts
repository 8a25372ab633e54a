import { ProviderError } from "../errors.ts";
import type { ConnectOptions, ModelEvent, RetryEvent, StreamOptions } from "../provider.ts";
import { wait } from "../wait.ts";

/** Says how a request is made again whose try `attempt`, counted from 1, has failed; throws if it is not. */
export type Decide = (error: ProviderError, attempt: number) => RetryEvent;

/**
 * The events of `open()`, which is called anew as often as its stream fails before anything came of it and `decide`
 * says so. Retries are counted through, those that `open()` tells of included. An abort before it, or in between, ends
 * the events with `finish` reason `aborted`. What `open` itself throws is no failure of the request and passes.
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
      if (hasBegun || !(error instanceof ProviderError)) throw error;
      if (signal?.aborted) return yield aborted;
      const retry = decide(error, attempt);
      yield counted(retry);
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
  const counted = retryCounter();
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) return [...retries, aborted];
    const answer = request();
    try {
      const events = await answer;
      return [...retries, ...events.map((event) => (event.type === "retry" ? counted(event) : event))];
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (signal?.aborted) return [...retries, aborted];
      const retry = decide(error, attempt);
      retries.push(counted(retry));
      await wait(retry.delay, signal);
    }
  }
}

/** The same for a session to be opened. An abort does not keep it from being asked for: it fails as it does then. */
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
      if (!(error instanceof ProviderError) || signal?.aborted) throw error;
      const retry = decide(error, attempt);
      onRetry?.(retry);
      await wait(retry.delay, signal);
    }
  }
}

/** Providers stand around each other: whoever sees the retries of all of them sees one row of tries. */
function retryCounter(): (retry: RetryEvent) => RetryEvent {
  let attempt = 0;
  return (retry) => ({ ...retry, attempt: ++attempt });
}

const aborted: ModelEvent = { type: "finish", reason: "aborted" };
