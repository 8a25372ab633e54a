import { openSender, sendMany } from "./sender.ts";
import type { BenchServer } from "./server.ts";
import { difference, named } from "./statements.ts";

/** The time of a claim of one conversation, by the number of conversations that are due. No other worker claims meanwhile. */
export interface Claiming {
  due: number;
  /** Milliseconds in the server. */
  time: number;
}

const times = 40;

export async function claiming({ books, inDatabase }: BenchServer, due: number): Promise<Claiming> {
  return inDatabase(async (url) => {
    const sender = await openSender({ url, dispatcher: "storeDispatcher" });
    try {
      await sendMany(sender, due, 1);
      const claim = () => sender.store.claim({ owner: "bench", limit: 1, ttl: 30_000 });
      const claimAndPutBack = async () => {
        for (const one of await claim()) await sender.store.defer(one, 0);
      };
      for (let done = 0; done < 5; done++) await claimAndPutBack();
      const before = await books.tally(url);
      for (let done = 0; done < times; done++) await claimAndPutBack();
      const { calls, time } = named(difference(before, await books.tally(url))).get("claim") ?? { calls: 0, time: 0 };
      return { due, time: time / calls };
    } finally {
      await sender.close();
    }
  });
}
