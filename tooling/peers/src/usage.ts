import { markedProcesses } from "./processes.ts";

/** What the processes of a mark use: memory now and at most, processor time so far. */
export interface Usage {
  /** Bytes now. */
  memory: number;
  /** The most bytes that were seen. */
  peak: number;
  /** Processor time of all, those that have ended included, in seconds. */
  seconds: number;
}

/** Watches the processes of a mark, five times a second, until `stop`. The terminal's own process does not count. */
export function watchUsage(mark: string): { now(): Usage; stop(): void } {
  const seconds = new Map<number, number>();
  const usage: Usage = { memory: 0, peak: 0, seconds: 0 };
  const look = () => {
    usage.memory = 0;
    for (const one of markedProcesses(mark)) {
      if (one.program === "script") continue;
      usage.memory += one.memory;
      seconds.set(one.pid, one.seconds);
    }
    usage.peak = Math.max(usage.peak, usage.memory);
    usage.seconds = [...seconds.values()].reduce((sum, each) => sum + each, 0);
  };
  const timer = setInterval(look, 200);
  return {
    now() {
      look();
      return { ...usage };
    },
    stop: () => clearInterval(timer),
  };
}
