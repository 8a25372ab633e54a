import { setTimeout as sleep } from "node:timers/promises";
import { startReader } from "../processes/start-reader.ts";
import { startSite } from "../processes/start-site.ts";
import { post } from "../screens/read-events.ts";
import { delaysOf, quantile } from "../screens/words.ts";

/** How late a client on each of two servers shows the words of one run: a row of a table for each of them. */
export async function twoServers(store: string, place: string, seconds: number): Promise<string[][]> {
  const pace = { pause: 33, words: 1e6 };
  const servers = [await startSite({ place, pace, serves: true }), await startSite({ place, pace, serves: true })];
  const worker = await startSite({ place, pace, works: true });
  const readers = servers.map(({ url }) => startReader([url], "c"));
  try {
    await post(servers[0]?.url ?? "", "c", "Write.");
    await Promise.all(readers.map((reader) => reader.shows(({ parts }) => parts.length > 2)));
    await sleep(3000);
    const begun = performance.timeOrigin + performance.now();
    await sleep(seconds * 1000);
    return readers.map(({ screens }, index) => {
      const [before, after] = [screens.filter(({ at }) => at < begun), screens.filter(({ at }) => at >= begun)];
      // Words that were there before count with the screens that first showed them.
      const delays = delaysOf([...before, ...after]).slice(delaysOf(before).length);
      const cells = [0.5, 0.99, 1].map((part) => `${quantile(delays, part).toFixed(0)} ms`);
      return [`${store}, client at server ${index + 1}`, ...cells];
    });
  } finally {
    for (const { kill } of [...readers, worker, ...servers]) await kill();
  }
}
