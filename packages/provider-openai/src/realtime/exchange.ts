import type { ProviderError } from "@cogency/provider";
import { initialState, type State } from "./reduce.ts";

/** The state of one `send` and its answer. */
export interface Exchange {
  /** Aborts when the send must stop: the caller aborts, the session is closed, or the send fails. */
  readonly signal: AbortSignal;
  /** The send must stop, or is complete. */
  readonly isOver: boolean;
  /** The whole answer has arrived and is part of the conversation. */
  readonly isComplete: boolean;
  /** Why the send must stop, if it failed. */
  readonly failure: ProviderError | undefined;
  /** The server was asked, even if that connection was lost since. */
  isAsked: boolean;
  hasYieldedUsage: boolean;
  state: State;
  abort(): void;
  fail(error: ProviderError): void;
  complete(): void;
  /** Removes the listener from the caller's signal. */
  end(): void;
}

/** @param onStop called at most once, when the exchange is aborted or fails before it is complete */
export function createExchange(signal: AbortSignal | undefined, onStop: () => void): Exchange {
  const stop = new AbortController();
  let isComplete = false;
  let failure: ProviderError | undefined;

  function abort() {
    if (isComplete || stop.signal.aborted) return;
    stop.abort();
    onStop();
  }

  if (signal?.aborted) stop.abort();
  else signal?.addEventListener("abort", abort);
  return {
    signal: stop.signal,
    get isOver() {
      return isComplete || stop.signal.aborted;
    },
    get isComplete() {
      return isComplete;
    },
    get failure() {
      return failure;
    },
    isAsked: false,
    hasYieldedUsage: false,
    state: initialState(new Set()),
    abort,
    fail(error) {
      if (!isComplete && !stop.signal.aborted) failure = error;
      abort();
    },
    complete() {
      isComplete = true;
    },
    end() {
      signal?.removeEventListener("abort", abort);
    },
  };
}
