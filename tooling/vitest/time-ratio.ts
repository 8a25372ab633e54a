/**
 * How many times the CPU time of `small` does `large` take, each at its best of five. What grows in proportion to ten times the
 * input gives about 10, what grows with its square 100.
 */
export function timeRatio(small: () => void, large: () => void): number {
  const best = (work: () => void) => Math.min(...Array.from({ length: 5 }, () => cpuTimeOf(work)));
  // Below a tenth of a millisecond the clock says more about itself than about the work.
  return best(large) / Math.max(best(small), 0.1);
}

/** Milliseconds of this process. */
function cpuTimeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
