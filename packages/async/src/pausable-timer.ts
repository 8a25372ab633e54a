import { longestTimer } from "./longest-timer.ts";

export interface PausableTimer {
  /** Stops the time until `resume`. Pauses count: it goes on after as many calls of `resume`. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/** Calls `expire` once, when `milliseconds` have passed outside of pauses. Longer than `longestTimer`, it never expires. */
export function pausableTimer(milliseconds: number, expire: () => void): PausableTimer {
  let left = milliseconds;
  let begun = 0;
  let pauses = 0;
  let isOver = milliseconds > longestTimer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    if (isOver) return;
    begun = performance.now();
    timer = setTimeout(() => {
      isOver = true;
      expire();
    }, left);
  };
  start();
  return {
    pause() {
      if (pauses++ > 0) return;
      clearTimeout(timer);
      left = Math.max(0, left - (performance.now() - begun));
    },
    resume() {
      if (--pauses === 0) start();
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
