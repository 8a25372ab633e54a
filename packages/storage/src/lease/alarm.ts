import { longestTimer, startTimer, type Timer } from "@cogency/async";

/** One timer for many times. */
export interface Alarm {
  /** Rings at this time of `performance.now()`. Ignored if it rings earlier; then set the time again. */
  set(time: number): void;
  /** Forgets all times. */
  stop(): void;
}

/** Does not keep the process alive. */
export function createAlarm(ring: () => void): Alarm {
  let timer: Timer | undefined;
  let next = Number.POSITIVE_INFINITY;
  return {
    set(time) {
      if (time >= next) return;
      timer?.stop();
      next = time;
      // Timers count whole milliseconds, and would ring too early.
      const delay = Math.max(0, Math.ceil(time - performance.now()));
      timer = startTimer(Math.min(delay, longestTimer), () => {
        next = Number.POSITIVE_INFINITY;
        ring();
      });
    },
    stop() {
      timer?.stop();
      next = Number.POSITIVE_INFINITY;
    },
  };
}
