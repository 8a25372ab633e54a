import { longestTimer } from "./longest-timer.ts";

/**
 * Whether a promise settles within `milliseconds`, without limit above `longestTimer`. Its rejection is handled, and no timer
 * is left behind.
 */
export function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = milliseconds > longestTimer ? undefined : setTimeout(() => resolve(false), milliseconds);
    const settled = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settled, settled);
  });
}
