import { columns, median, type Target } from "@tooling/bench";
import { postgresStore } from "../src/index.ts";
import { eventOf } from "./events.ts";

const conversations = 100_000;

export async function opening(url: string): Promise<Target[]> {
  const perSecond = await beginAll(url);
  const times = { open: [] as number[], list: [] as number[] };
  for (let round = 0; round < 25; round++) {
    const begin = performance.now();
    const opened = await postgresStore({ url });
    const isOpen = performance.now();
    await opened.conversations({ user: "user 7" });
    times.open.push(isOpen - begin);
    times.list.push(performance.now() - isOpen);
    await opened.close();
  }
  const [open, list] = [median(times.open), median(times.list)];
  const rows = [
    ["begin, ten at a time", `${Math.round(perSecond).toLocaleString("en-US")}/s`],
    ["open the store, sign-in included", `${open.toFixed(2)} ms`],
    ["the first list, 50", `${list.toFixed(2)} ms`],
  ];
  const title = `${conversations.toLocaleString("en-US")} conversations, by the clock`;
  console.log([title, ...columns(rows).map((line) => `  ${line}`), ""].join("\n"));
  return [{ what: "open a store with 100,000 conversations", value: open, unit: "ms", most: 50 }];
}

/** @returns conversations per second */
async function beginAll(url: string): Promise<number> {
  const store = await postgresStore({ url });
  const start = performance.now();
  let next = 0;
  const writers = Array.from({ length: 10 }, async () => {
    while (next < conversations) {
      const index = next++;
      await store.append({ conversation: `conversation ${index}`, user: `user ${index % 100}` }, [eventOf(index)]);
    }
  });
  await Promise.all(writers);
  await store.close();
  return (1000 * conversations) / (performance.now() - start);
}
