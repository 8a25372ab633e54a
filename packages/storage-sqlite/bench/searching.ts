import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import { median, type Target } from "@tooling/bench";
import { sqliteStore } from "../src/index.ts";

const conversations = 100;
const perConversation = 1_000;

export async function searching(folder: string): Promise<Target[]> {
  const store = await sqliteStore({ path: join(folder, "search.db") });
  for (let conversation = 0; conversation < conversations; conversation++) {
    await store.append({ conversation: `conversation ${conversation}` }, eventsOf(conversation));
  }
  const search = async (text: string): Promise<number> => {
    const start = performance.now();
    const found = await store.search(text, { user: undefined });
    if (found.length === 0) throw new Error(`Nothing was found for ${text}.`);
    return performance.now() - start;
  };
  const lines = [`first search (fills the index)  ${((await search("word7")) / 1000).toFixed(2)} s`];
  await store.append({ conversation: "conversation 0" }, eventsOf(0).slice(0, 10));
  lines.push(`after ten more events           ${(await search("word7")).toFixed(2)} ms`);
  for (const [what, text] of [
    ["a word of one event", "unique50500"],
    ["a word of most events", "word1"],
    ["three words", "word3 word700 unique77077"],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < 15; round++) times.push(await search(text));
    lines.push(`${what.padEnd(30)}  ${median(times).toFixed(2)} ms`);
  }
  await store.close();
  const count = (conversations * perConversation).toLocaleString("en-US");
  console.log([`search in ${count} events, by the clock`, ...lines.map((line) => `  ${line}`), ""].join("\n"));
  return [];
}

/** Fifty words per event: common ones, rare ones, and one that no other event has. */
function eventsOf(conversation: number): LogEvent[] {
  return Array.from({ length: perConversation }, (_, index): LogEvent => {
    const place = conversation * perConversation + index;
    const words = Array.from(
      { length: 50 },
      (_, word) => `word${Math.floor(2_000 / (1 + ((place * 31 + word * 17) % 2_000)))}`,
    );
    return { type: index % 2 ? "respond" : "user", content: `${words.join(" ")} unique${place}`, timestamp: place };
  });
}
