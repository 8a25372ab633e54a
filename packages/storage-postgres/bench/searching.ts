import type { LogEvent } from "@cogency/protocol";
import { columns, median, type Target } from "@tooling/bench";
import { postgresStore } from "../src/index.ts";

const conversations = 100;
const perConversation = 1_000;
const user = "searcher";

/** Has no target: it only prints figures. */
export async function searching(url: string): Promise<Target[]> {
  const store = await postgresStore({ url });
  for (let conversation = 0; conversation < conversations; conversation++) {
    await store.append({ conversation: `conversation ${conversation}`, user }, eventsOf(conversation));
  }
  const search = async (text: string): Promise<number> => {
    const start = performance.now();
    const found = await store.search(text, { user });
    if (found.length === 0) throw new Error(`Nothing was found for ${text}.`);
    return performance.now() - start;
  };
  const rows = [["first search (fills the index)", `${((await search("word7")) / 1000).toFixed(2)} s`]];
  await store.append({ conversation: "conversation 0", user }, eventsOf(0).slice(0, 10));
  rows.push(["after ten more events", `${(await search("word7")).toFixed(2)} ms`]);
  for (const [what, text] of [
    ["a word of one event", "unique50500"],
    ["a word of most events", "word1"],
    ["three words", "word3 word700 unique77077"],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < 15; round++) times.push(await search(text));
    rows.push([what, `${median(times).toFixed(2)} ms`]);
  }
  await store.close();
  const title = `search in ${(conversations * perConversation).toLocaleString("en-US")} events, by the clock`;
  console.log([title, ...columns(rows).map((line) => `  ${line}`), ""].join("\n"));
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
