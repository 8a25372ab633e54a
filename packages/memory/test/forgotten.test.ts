import { join } from "node:path";
import { memoryStore, type Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { expect, it } from "vitest";
import { forget, forgetAll, memory, readProfile, remember } from "../src/index.ts";
import { agentOf, answering, choosing, say, sentences, ticking } from "./support/person.ts";
import { filesWith, temporaryFolder } from "./support/temporary-folder.ts";

const typed = "Never touch the rhubarb.";
const learned = "I like parsley.";

/** A person who has typed one memory, and said another one in a conversation; and what a later run is asked. */
async function remembered(store: Store) {
  const clock = ticking();
  const own = memory({ store, provider: choosing(sentences), every: 1, clock });
  await remember(store, undefined, { words: typed }, { clock });
  const provider = answering();
  const agent = agentOf(store, { clock, provider, recordRequests: true }).use(own.capability);
  await say(agent, "said", learned);
  await own.settled();
  await say(agent, "later", "Go.");
  expect(provider.requests.at(-1)?.system).toMatch(/rhubarb.*\n.*parsley/);
  const { memories } = (await readProfile(store, undefined)).profile;
  expect(memories.map(({ words }) => words)).toEqual([typed, learned]);
  const again = async () => {
    await say(agent, "after", "Go on.");
    await own.settled();
    return `${provider.requests.at(-1)?.system}`;
  };
  return { ids: memories.map(({ id }) => id), again, clock };
}

it.each(["by their ids", "all at once"])(
  "leaves no byte of memories that are forgotten %s in any file of a store, in no log and in no later prompt",
  async (how) => {
    const folder = temporaryFolder();
    const store = await sqliteStore({ path: join(folder, "store.db") });
    const { ids, again, clock } = await remembered(store);
    expect(filesWith(folder, "rhubarb")).not.toEqual([]);
    if (how === "all at once") await forgetAll(store, undefined, { clock });
    else await forget(store, undefined, ids);
    expect(filesWith(folder, "rhubarb")).toEqual([]);
    // The conversation in which it was said stays until it is deleted.
    expect(filesWith(folder, "parsley")).not.toEqual([]);
    await store.delete({ conversation: "said" });
    expect(filesWith(folder, "parsley")).toEqual([]);
    expect(await again()).not.toMatch(/rhubarb|parsley|<memory>/);
    expect((await readProfile(store, undefined)).profile.memories).toEqual([]);
    await store.close();
    expect([...filesWith(folder, "rhubarb"), ...filesWith(folder, "parsley")]).toEqual([]);
  },
);

it("leaves what was learned in no log but that of the conversation where it was said, before and after", async () => {
  const store = memoryStore();
  const { ids, again } = await remembered(store);
  const logs = async () => {
    const names = (await store.conversations()).map(({ conversation }) => conversation);
    const held = await Promise.all(names.map(async (name) => JSON.stringify(await store.load({ conversation: name }))));
    return names.filter((_, at) => /rhubarb|parsley/.test(held[at] ?? ""));
  };
  expect(await logs()).toEqual(["said"]);
  await forget(store, undefined, ids);
  expect(await again()).not.toMatch(/rhubarb|parsley/);
  expect(await logs()).toEqual(["said"]);
});
