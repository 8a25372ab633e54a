import type { ProviderError } from "@cogency/provider";
import { initialState, type State } from "./reduce.ts";

/** One send on its way. */
export interface Turn {
  /** Aborts when it is to stop: the caller or the session wants no more of it, or it has failed by itself. */
  readonly signal: AbortSignal;
  /** It is to stop, or is complete. */
  readonly isOver: boolean;
  /** The whole answer is there, and is part of the conversation. */
  readonly isComplete: boolean;
  /** Why it is to stop, if nobody wanted it. */
  readonly failure: ProviderError | undefined;
  /** The server was asked, be it on a connection that was lost since. */
  isAsked: boolean;
  hasToldUsage: boolean;
  state: State;
  abort(): void;
  fail(error: ProviderError): void;
  complete(): void;
  /** Lets go of the caller's signal. */
  end(): void;
}

/** @param onStop called once when it is aborted or fails by itself, but not after its end */
export function createTurn(signal: AbortSignal | undefined, onStop: () => void): Turn {
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
    hasToldUsage: false,
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
