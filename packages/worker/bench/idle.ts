import { setTimeout } from "node:timers/promises";
import { Crew } from "./crew.ts";
import type { OpenOptions } from "./open-with.ts";
import type { BenchServer } from "./server.ts";
import { difference, named } from "./statements.ts";

/** What a worker costs that has nothing to do. */
export interface Idle {
  /** By the name of the statement: how often a second, and milliseconds in the server each. */
  statements: Map<string, { rate: number; time: number }>;
  connections: number;
}

const settling = 2000;
const window = 8000;

export async function idle(
  { books, inDatabase }: BenchServer,
  options: Pick<OpenOptions, "dispatcher" | "liveness">,
): Promise<Idle> {
  return inDatabase(async (url) => {
    const crew = await Crew.start(1, "steps-process.ts", { url, ...options });
    try {
      crew.go();
      await setTimeout(settling);
      const before = await books.tally(url);
      await setTimeout(window);
      const calls = named(difference(before, await books.tally(url)));
      const connections = await books.connections(url);
      const rates = [...calls].map(
        ([name, { calls, time }]) => [name, { rate: calls / (window / 1000), time: time / calls }] as const,
      );
      return { statements: new Map(rates), connections };
    } finally {
      await crew.end();
    }
  });
}
