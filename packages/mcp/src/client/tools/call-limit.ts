import { pausableTimer } from "@cogency/async";

/** The time that one call may take: whole, and from one sign of life to the next. Questions to a person stop it. */
export interface CallLimit {
  /** Aborts with the caller's signal, or when the time is over. */
  readonly signal: AbortSignal;
  /** Whether the time is over. */
  readonly isOver: boolean;
  /** The server has told its progress: from now on the silence counts, and the total. */
  alive(): void;
  /** Does something for which the time stands still. */
  whilePaused<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

export interface CallTimes {
  readonly call: number;
  readonly silence: number;
  readonly total: number;
}

export function callLimit({ call, silence, total }: CallTimes, outer: AbortSignal | undefined): CallLimit {
  const limit = new AbortController();
  let isOver = false;
  const expire = () => {
    isOver = true;
    limit.abort(new Error("The call took too long."));
  };
  const whole = pausableTimer(total, expire);
  let current = pausableTimer(call, expire);
  let pauses = 0;
  let hasEnded = false;
  return {
    signal: outer ? AbortSignal.any([outer, limit.signal]) : limit.signal,
    get isOver() {
      return isOver;
    },
    alive() {
      if (hasEnded) return;
      current.stop();
      current = pausableTimer(silence, expire);
      for (let pause = 0; pause < pauses; pause++) current.pause();
    },
    async whilePaused(work) {
      pauses += 1;
      whole.pause();
      current.pause();
      try {
        return await work();
      } finally {
        pauses -= 1;
        whole.resume();
        current.resume();
      }
    },
    end() {
      hasEnded = true;
      whole.stop();
      current.stop();
    },
  };
}
