import { ProviderError } from "@cogency/provider";
import { type CompleteTimeouts, duration, startTimer, type Timer } from "@cogency/provider/http";

/** The time limits of one answer. */
export interface Patience {
  /** The limit that was reached; undefined if none was. */
  readonly error: ProviderError | undefined;
  /** Calls `next`, which a limit may end. Time in which nobody waits does not count. */
  wait<T>(next: () => Promise<T>): Promise<T>;
  /** The answer is complete: what else comes is awaited for a moment only, and no limit is an error. */
  complete(): void;
  stop(): void;
}

/** @param expire called once a limit is reached */
export function createPatience(timeouts: CompleteTimeouts, name: string, expire: () => void): Patience {
  let error: ProviderError | undefined;
  let isComplete = false;
  let isFirst = true;
  const end = (limit: keyof CompleteTimeouts, what: string) => () => {
    const milliseconds = timeouts[limit] ?? Number.POSITIVE_INFINITY;
    if (!isComplete)
      error ??= new ProviderError(
        "timeout",
        `${name} ${what} within ${duration(milliseconds)} (\`timeouts.${limit}\`).`,
      );
    expire();
  };
  const total = startTimer(timeouts.total ?? Number.POSITIVE_INFINITY, end("total", "did not complete its answer"));
  const begin = (): Timer => {
    if (isComplete) return startTimer(afterFinish, expire);
    const limit = isFirst ? "firstByte" : "idle";
    return startTimer(
      timeouts[limit] ?? Number.POSITIVE_INFINITY,
      end(limit, isFirst ? "did not answer" : "sent nothing more"),
    );
  };
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
    complete() {
      isComplete = true;
    },
    stop: () => total.stop(),
  };
}

/** Middleware does its last work after the finish, and some servers leave an answer open. */
const afterFinish = 1_000;
