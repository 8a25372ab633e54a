import { setTimeout } from "node:timers/promises";
import { postgresStore } from "@cogency/storage-postgres";
import type { BenchServer } from "./server.ts";
import { difference, named } from "./statements.ts";

/** What it costs a store with `liveness` to look whether so many others are still there. */
export interface Looks {
  stores: number;
  /** Looks a second, of all stores. */
  rate: number;
  /** Milliseconds in the server each. */
  time: number;
}

const settling = 1500;
const window = 3000;

export async function looks({ books, inDatabase }: BenchServer, count: number): Promise<Looks> {
  return inDatabase(async (url) => {
    const first = await postgresStore({ url, liveness: true, max: 1 });
    const others = Array.from({ length: count - 1 }, () => postgresStore({ url, liveness: true, max: 1 }));
    const stores = [first, ...(await Promise.all(others))];
    try {
      await setTimeout(settling);
      const before = await books.tally(url);
      await setTimeout(window);
      const sums = named(difference(before, await books.tally(url)));
      const { calls, time } = sums.get("look for holders that are gone") ?? { calls: 0, time: 0 };
      return { stores: count, rate: (1000 * calls) / window, time: time / calls };
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
}
