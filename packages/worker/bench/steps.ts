import { setTimeout } from "node:timers/promises";
import { postgresStore } from "@cogency/storage-postgres";
import { Crew, type Progress } from "./crew.ts";
import { warmup, window } from "./floors.ts";
import type { OpenOptions } from "./open-with.ts";
import { openSender, sendMany } from "./sender.ts";
import type { BenchServer } from "./server.ts";
import { serverCpu } from "./server-cpu.ts";
import { difference, type Tally } from "./statements.ts";

/** What workers do that always have enough to do. */
export interface Throughput extends Progress {
  tally: Tally;
  /** Milliseconds of processor time of the server. */
  serverCpu: number;
  /** Connections of all workers. */
  connections: number;
}

/** Steps of a conversation. */
export const stepsEach = 5;

/** Conversations that are due when the workers begin. */
const backlog = 2000;

export async function throughput(
  { server, books, inDatabase }: BenchServer,
  dispatcher: OpenOptions["dispatcher"],
  workers: number,
): Promise<Throughput> {
  return inDatabase(async (url) => {
    const sender = await openSender({ url, dispatcher });
    await sendMany(sender, backlog, stepsEach);
    await sender.close();
    const crew = await Crew.start(workers, "steps-process.ts", { url, dispatcher });
    try {
      crew.go();
      await setTimeout(warmup);
      const [before, cpu] = [await books.tally(url), serverCpu(server.pid)];
      const progress = await crew.during(window);
      const used = serverCpu(server.pid) - cpu;
      const tally = difference(before, await books.tally(url));
      const connections = await books.connections(url);
      await refuseIfDone(url);
      return { ...progress, tally, serverCpu: used, connections };
    } finally {
      await crew.end();
    }
  });
}

/** Workers without work would measure something else. */
async function refuseIfDone(url: string): Promise<void> {
  const store = await postgresStore({ url });
  const { due } = await store.queue();
  await store.close();
  if (due === 0) throw new Error(`${backlog} conversations were too few: the workers had nothing left to do.`);
}
