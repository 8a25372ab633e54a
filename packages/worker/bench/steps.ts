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

/** What there is to do when the workers begin. */
export interface Backlog {
  name: string;
  conversations: number;
  /** Of each conversation. */
  steps: number;
}

/** Many short conversations, so that claims and ends weigh; and few long ones, of which hardly any wait. */
export const backlogs = {
  short: { name: "5 steps each, 2,000 due", conversations: 2000, steps: 5 },
  long: { name: "50 steps each, 200 due", conversations: 200, steps: 50 },
} as const satisfies Record<string, Backlog>;

export async function throughput(
  { server, books, inDatabase }: BenchServer,
  dispatcher: OpenOptions["dispatcher"],
  workers: number,
  { conversations, steps }: Backlog,
): Promise<Throughput> {
  return inDatabase(async (url) => {
    const sender = await openSender({ url, dispatcher });
    await sendMany(sender, conversations, steps);
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
      await refuseIfDone(url, conversations);
      return { ...progress, tally, serverCpu: used, connections };
    } finally {
      await crew.end();
    }
  });
}

/** Workers without work would measure something else. */
async function refuseIfDone(url: string, conversations: number): Promise<void> {
  const store = await postgresStore({ url });
  const { due } = await store.queue();
  await store.close();
  if (due === 0) throw new Error(`${conversations} conversations were too few: the workers had nothing left to do.`);
}
