import { ProviderError } from "@cogency/provider";
import { type CompleteTimeouts, duration, startTimer, type Timer } from "@cogency/provider/http";

/** The time limits of one answer. */
export interface Patience {
  /** The limit that was reached; undefined if none was. */
  readonly error: ProviderError | undefined;
  /** Calls `next`, which a limit may end. Time in which nobody waits does not count. */
  wait<T>(next: () => Promise<T>): Promise<T>;
  stop(): void;
}

export interface PatienceSettings {
  readonly timeouts: CompleteTimeouts;
  /** The provider, for messages. */
  readonly name: string;
  /** Whether the answer is complete: what else comes is awaited for a moment only, and no limit is an error. */
  isComplete(): boolean;
  /** Called once a limit is reached. */
  expire(): void;
}

export function createPatience({ timeouts, name, isComplete, expire }: PatienceSettings): Patience {
  let error: ProviderError | undefined;
  let isFirst = true;
  const start = (limit: "firstByte" | "idle" | "total", what: string): Timer => {
    const { [limit]: milliseconds = Number.POSITIVE_INFINITY } = timeouts;
    return startTimer(milliseconds, () => {
      const message = `${name} ${what} within ${duration(milliseconds)} (\`timeouts.${limit}\`).`;
      if (!isComplete()) error ??= new ProviderError("timeout", message);
      expire();
    });
  };
  const begin = (): Timer => {
    if (isComplete()) return startTimer(afterFinish, expire);
    return isFirst ? start("firstByte", "did not answer") : start("idle", "sent nothing more");
  };
  const total = start("total", "did not complete its answer");
  return {
    get error() {
      return error;
    },
    async wait(next) {
      const timer = begin();
      try {
        return await next();
      } finally {
        timer.stop();
        isFirst = false;
      }
    },
    stop: () => total.stop(),
  };
}

/** Middleware does its last work after the finish, and some servers leave an answer open. */
const afterFinish = 1_000;
