/**
 * CPU time of the main thread so far, user and system, in milliseconds; of all threads before Node 22.19 and 23.9,
 * which have no `threadCpuUsage`.
 */
export function cpuTime(): number {
  // Linux books a running thread's time only at the timer's tick, every 4 ms, and when somebody asks for the process's.
  process.cpuUsage();
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}

/** The step of {@link cpuTime} here and now, in milliseconds: no difference of two readings is more exact. */
export function cpuTick(): number {
  const steps: number[] = [];
  let last = cpuTime();
  while (steps.length < 9) {
    const now = cpuTime();
    if (now > last) steps.push(now - last);
    last = now;
  }
  return steps.toSorted((a, b) => a - b)[4] ?? 0;
}

const threadCpuUsage: typeof process.cpuUsage = process.threadCpuUsage ?? process.cpuUsage;
