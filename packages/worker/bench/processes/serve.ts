import { once } from "node:events";

/** The work of a process of the benchmark. */
export interface Work {
  begin(): unknown;
  /** How much it has done so far: events, jobs or steps. */
  count(): number;
  /** The conversations that it has ended. */
  ended?(): number;
}

/** What a process answers when it is asked. */
export interface Reading {
  count: number;
  ended: number;
  /** Unix time in milliseconds. */
  at: number;
  /** Milliseconds of processor time of this process, all threads. */
  cpu: number;
}

/** The whole program of a process of the benchmark: prepares, begins at "go", and answers each "read". It ends with its parent. */
export async function serve<Options>(prepare: (options: Options) => Promise<Work>): Promise<void> {
  process.once("disconnect", () => process.exit());
  const work = await prepare(JSON.parse(process.argv[2] ?? "{}") as Options);
  process.send?.("ready");
  await once(process, "message");
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    const reading: Reading = {
      count: work.count(),
      ended: work.ended?.() ?? 0,
      at: performance.timeOrigin + performance.now(),
      cpu: (user + system) / 1000,
    };
    process.send?.(reading);
  });
  await work.begin();
}

/** Inserts, appends, jobs or conversations that a process has open at one time. */
export const concurrency = 16;

/** Does something again and again, `concurrency` at one time. */
export function again(once: (lane: number) => Promise<unknown>): Promise<unknown> {
  const lane = async (index: number) => {
    for (;;) await once(index);
  };
  return Promise.all(Array.from({ length: concurrency }, (_, index) => lane(index)));
}
