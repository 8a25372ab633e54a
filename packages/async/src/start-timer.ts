import { longestTimer } from "./longest-timer.ts";

export interface Timer {
  /** Starts again from 0. */
  refresh(): void;
  stop(): void;
}

/**
 * Calls `expire` once, after `milliseconds`, unless it is stopped before. Longer than `longestTimer`, it never expires.
 * Does not keep the process alive.
 */
export function startTimer(milliseconds: number, expire: () => void): Timer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    if (milliseconds > longestTimer) return;
    timer = setTimeout(expire, milliseconds);
    // Timers of browsers are numbers.
    const handle: number | { unref?(): void } = timer;
    if (typeof handle === "object") handle.unref?.();
  };
  start();
  return {
    refresh() {
      clearTimeout(timer);
      start();
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
