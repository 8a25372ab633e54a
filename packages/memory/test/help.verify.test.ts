import { estimateUsage, type ModelRequest } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { memory, profileBounds, readProfile } from "../src/index.ts";
import { agentOf, answering, choosing, say, sentences, ticking } from "./support/person.ts";
import { twoHundred } from "./support/two-hundred.ts";

const tokensOf = (text: string) => estimateUsage({ system: text, messages: [] }, "").input;

/** What the first request of each conversation that needs a fact holds of it, in each of three ways. */
async function measured(every: number) {
  const store = memoryStore();
  const clock = ticking();
  const own = memory({ store, provider: choosing(sentences), every, clock });
  const [with_, without] = [answering(), answering()];
  const agent = agentOf(store, { clock, provider: with_ }).use(own.capability);
  const plain = agentOf(memoryStore(), { clock, provider: without });
  const count = { needed: 0, memory: 0, none: 0, search: 0, tokens: 0, searchTokens: 0, said: [] as string[] };
  for (const [at, { messages, need }] of twoHundred(1).entries()) {
    const found = need === undefined ? [] : await store.search(messages[0] ?? "", { user: undefined, limit: 5 });
    const [before, plainBefore] = [with_.requests.length, without.requests.length];
    await say(agent, `c${at}`, ...messages);
    await say(plain, `c${at}`, ...messages);
    await own.settled();
    count.said.push(...messages);
    if (need === undefined) continue;
    const [first, other] = [with_.requests[before] as ModelRequest, without.requests[plainBefore] as ModelRequest];
    const excerpts = found.map(({ excerpt }) => excerpt).join("\n");
    count.needed++;
    count.memory += Number(first.system.includes(need));
    count.none += Number(other.system.includes(need));
    count.search += Number(excerpts.includes(need));
    count.tokens += tokensOf(first.system) - tokensOf(other.system);
    count.searchTokens += tokensOf(excerpts);
  }
  const kept = await readProfile(store, undefined);
  return { ...count, ...kept };
}

it("puts a needed fact into the prompt of most later conversations, where nothing else does", async () => {
  const rows = await Promise.all([5, 10, 20].map(async (every) => ({ every, ...(await measured(every)) })));
  const [, usual] = rows;
  const table = rows.map(({ every, needed, memory: held, tokens, profile }) => [
    `memory, every ${every}`,
    `${held} of ${needed}`,
    String(Math.round(tokens / needed)),
    `${profile.memories.length} memories, ${JSON.stringify(profile).length} bytes`,
  ]);
  if (!usual) throw new Error("There is no row.");
  const { needed, none, search, searchTokens } = usual;
  table.push(["no memory", `${none} of ${needed}`, "0", ""]);
  table.push([
    "a search for the task's words",
    `${search} of ${needed}`,
    String(Math.round(searchTokens / needed)),
    "",
  ]);
  console.log(table.map((row) => row.join(" | ")).join("\n"));
  expect(none).toBe(0);
  expect(usual.memory).toBeGreaterThan(0.8 * needed);
  expect(usual.memory).toBeGreaterThan(search);
  for (const { profile, said } of rows) {
    expect(JSON.stringify(profile).length).toBeLessThanOrEqual(profileBounds.bytes);
    for (const { words } of profile.memories) expect(said.some((text) => text.includes(words))).toBe(true);
  }
});
