/** Runs `work` once, so many milliseconds from now, unless the process has nothing else to do and ends before. */
export function backgroundTimer(milliseconds: number, work: () => void): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, Math.min(milliseconds, longestTimer));
  // Browsers give a number.
  const handle: number | { unref?(): void } = timer;
  if (typeof handle === "object") handle.unref?.();
  return timer;
}

/** A timer that is set for longer fires at once. */
const longestTimer = 2 ** 31 - 1;
