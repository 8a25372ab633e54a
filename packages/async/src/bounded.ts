import type { AbortScope } from "./abort-scope.ts";
import { longestTimer } from "./longest-timer.ts";
import { requireRuntime } from "./require-runtime.ts";

requireRuntime();

/** How work ended. `work` says what it did in its grace, after it had been asked to stop; `error` what it then rejected with. */
export type Settlement<T> =
  | { end: "fulfilled"; value: T }
  | { end: "rejected"; error: unknown }
  | { end: "timeout" | "aborted"; work: "fulfilled" | "rejected" | "pending"; error?: unknown };

export interface Bounds {
  scope: AbortScope;
  /** Milliseconds; no limit above `longestTimer`. */
  timeout: number;
  /** Milliseconds that work may take to end after it was asked to stop. */
  grace: number;
  /** Called at most once, to ask the work to stop; `reason` is that of an abort. */
  stop?(end: "timeout" | "aborted", reason: unknown): void;
}

/**
 * Runs work that may throw, hang or ignore that it was asked to stop. The promise never rejects, and resolves within
 * `timeout` and `grace`. What the work does afterwards is ignored, a late rejection too.
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
      resolve(stopped ? { end: stopped, work: workOf(settlement), ...errorOf(settlement) } : settlement);
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

/** Returns the work's own promise where there is one: a second one would double the cost of a call. */
function begun<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}

function errorOf(settlement: Settlement<unknown>): { error?: unknown } {
  return "error" in settlement ? { error: settlement.error } : {};
}

function workOf(settlement: Settlement<unknown>): "fulfilled" | "rejected" | "pending" {
  return "work" in settlement ? settlement.work : settlement.end;
}
