/**
 * CPU time that the main thread has used so far, user and system, in milliseconds. Before Node 22.19 and 23.9, which
 * have no `threadCpuUsage`, it counts all threads.
 */
export function cpuTime(): number {
  // Linux updates the time of a running thread only every 4 ms, and when the time of the whole process is read.
  process.cpuUsage();
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}

/** The resolution of {@link cpuTime} on this machine, in milliseconds. */
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
