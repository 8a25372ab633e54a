import type { AbortScope } from "./abort-scope.ts";

/** How a piece of work came to its end; `work` tells what it did in the grace after it was told to stop. */
export type Settlement<T> =
  | { end: "fulfilled"; value: T }
  | { end: "rejected"; error: unknown }
  | { end: "timeout" | "aborted"; work: "fulfilled" | "rejected" | "pending" };

interface Bounds {
  scope: AbortScope;
  /** Milliseconds; `Infinity` for no limit. */
  timeout: number;
  /** Milliseconds that work may take to end after it was told to stop. */
  grace: number;
  /** Tells the work to stop, at most once; `reason` is that of an abort. */
  stop?(end: "timeout" | "aborted", reason: unknown): void;
}

/**
 * Runs work of unknown manners: whether it throws, hangs or ignores being stopped, the promise resolves by the time its
 * bounds allow. What the work does afterwards is ignored, a late rejection too.
 */
export function bounded<T>(
  work: () => T | Promise<T>,
  { scope, timeout, grace, stop }: Bounds,
): Promise<Settlement<T>> {
  return new Promise((resolve) => {
    let stopped: "timeout" | "aborted" | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const settle = (settlement: Settlement<T>) => {
      clearTimeout(timer);
      leave();
      resolve(stopped ? { end: stopped, work: workOf(settlement) } : settlement);
    };
    const halt = (end: "timeout" | "aborted", reason?: unknown) => {
      if (stopped) return;
      stopped = end;
      clearTimeout(timer);
      timer = setTimeout(() => settle({ end, work: "pending" }), grace);
      stop?.(end, reason);
    };

    if (timeout <= longestTimer) timer = setTimeout(() => halt("timeout"), timeout);
    const leave = scope.onAbort((reason) => halt("aborted", reason));
    begun(work).then(
      (value) => settle({ end: "fulfilled", value }),
      (error) => settle({ end: "rejected", error }),
    );
  });
}

/** Timers that are set for longer fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The work's own promise where it gives one: another one around it would cost as much as the rest. */
function begun<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}

function workOf(settlement: Settlement<unknown>): "fulfilled" | "rejected" | "pending" {
  return "work" in settlement ? settlement.work : settlement.end;
}
