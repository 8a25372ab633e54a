import { ProviderError, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { type Learned, memory, readProfile } from "../src/index.ts";
import { agentOf, say } from "./support/person.ts";

const keepsTea = JSON.stringify({ keep: [{ message: 1, words: "I like tea.", about: "person" }] });

/** A person, whose clock goes on by hand, and a model that chooses by these steps. */
function person(...steps: Parameters<typeof scripted>[0]) {
  const store = memoryStore();
  const now = { seconds: 1_780_000_000 };
  const clock = () => now.seconds;
  const problems: string[] = [];
  const learned: Learned[] = [];
  const chooser = scripted(steps);
  const told = { warn: (problem: string) => problems.push(problem), onLearned: (one: Learned) => learned.push(one) };
  const own = memory({ store, provider: chooser, every: 1, clock, ...told });
  const agent = agentOf(store, { clock }).use(own.capability);
  const says = async (text: string, later = 1) => {
    now.seconds += later;
    await say(agent, "c", text);
    await own.settled();
  };
  const words = async () => (await readProfile(store, undefined)).profile.memories.map((one) => one.words);
  return { store, own, agent, chooser, problems, learned, says, words };
}

it("a model that is down fails no run, and is asked again after a minute, two, and so on, not after every run", async () => {
  const down = { error: new ProviderError("overloaded", "The model is down.") };
  const { chooser, problems, says, words } = person(down, down, keepsTea, '{"keep":[]}');
  await says("I like tea.");
  expect(problems).toEqual([expect.stringMatching(/in 60 seconds at the earliest\. .*The model is down\./)]);
  for (let at = 0; at < 10; at++) await says("Go on.", 5);
  expect(chooser.requests).toHaveLength(1);
  await says("Go on.", 10);
  expect(problems.at(-1)).toContain("in 120 seconds");
  await says("Go on.", 119);
  expect(chooser.requests).toHaveLength(2);
  await says("Go on.");
  expect(await words()).toEqual(["I like tea."]);
  // After a success, each run may learn.
  await says("Go on.");
  expect(chooser.requests).toHaveLength(4);
});

it("a server that asks for more time gets it", async () => {
  const { chooser, says } = person(
    { error: new ProviderError("rate_limit", "Too many.", { retryAfter: 600 }) },
    keepsTea,
  );
  await says("I like tea.");
  await says("Go on.", 599);
  expect(chooser.requests).toHaveLength(1);
  await says("Go on.");
  expect(chooser.requests).toHaveLength(2);
});

it("a person who asks to learn does not wait for the pause to end", async () => {
  const { own, says, words } = person({ error: new ProviderError("authentication", "The key is wrong.") }, keepsTea);
  await says("I like tea.");
  expect((await own.learn()).memories).toHaveLength(1);
  expect(await words()).toEqual(["I like tea."]);
});

it("what the profile of one user holds does not make others wait", async () => {
  const { store, own, agent, problems, says, words } = person(keepsTea);
  await store.saveProfile("ann", { theme: "dark" });
  await agent.ask("Hello.", { user: "ann" });
  await own.settled();
  await says("I like tea.");
  expect(problems).toEqual([expect.stringContaining("not one of this package")]);
  expect(await words()).toEqual(["I like tea."]);
});

it("what choosing took is told, with both requests where the first answer could not be read", async () => {
  const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const { learned, says } = person({ chunks: "What?", usage }, { chunks: keepsTea, usage }, { chunks: "{}", usage });
  await says("I like tea.");
  await says("Go on.");
  expect(learned).toMatchObject([
    { messages: 1, memories: [{ words: "I like tea." }], usage: { input: 200, output: 20 } },
    { messages: 1, memories: [], usage: { input: 100, output: 10 } },
  ]);
});
