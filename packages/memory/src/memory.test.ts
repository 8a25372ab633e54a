import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore, type Store, StoreError } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { agentOf, answering, choosing, keyRing, say, sentences, ticking } from "../test/support/person.ts";
import { forget, forgetAll, memory, readProfile, remember } from "./index.ts";

const wordsOf = async (store: Store, user?: string) =>
  (await readProfile(store, user)).profile.memories.map(({ words }) => words);

/** An agent that remembers, with a clock that its memory shares. */
function remembering(store: Store, provider = choosing(sentences), every = 2) {
  const clock = ticking();
  const problems: string[] = [];
  const model = answering();
  const remembered = memory({ store, provider, every, clock, warn: (problem) => problems.push(problem) });
  const agent = agentOf(store, { provider: model, clock }).use(remembered.capability);
  return { agent, remembered, chooser: provider, model, problems, clock };
}

describe("what an agent remembers", () => {
  it("is learned in the background after enough messages, over several conversations, and stands in the next run's prompt", async () => {
    const store = memoryStore();
    const { agent, remembered, chooser, model } = remembering(store);
    await say(agent, "one", "I live in Graz. What is the weather?");
    await remembered.settled();
    expect(chooser.requests).toHaveLength(0);
    await say(agent, "two", "Always answer in German. Thanks.");
    await remembered.settled();
    expect(await wordsOf(store)).toEqual(["I live in Graz.", "Always answer in German."]);
    await say(agent, "three", "Go on.");
    const prompts = model.requests.map(({ system }) => system.includes('"I live in Graz."'));
    expect(prompts).toEqual([false, false, true]);
  });

  it("stands in the prompt with the same bytes as long as the profile is the same", async () => {
    const store = memoryStore();
    await remember(store, undefined, { words: "Use tabs." });
    const { agent, model, remembered } = remembering(store, choosing(sentences), 100);
    await say(agent, "one", "Go.", "Go on.");
    await say(agent, "two", "Go.");
    await remembered.settled();
    expect(new Set(model.requests.map(({ system }) => system)).size).toBe(1);
  });

  it("is gone from the next run of every agent once it is forgotten", async () => {
    const store = memoryStore();
    const { id } = await remember(store, undefined, { words: "Use tabs." });
    const [one, other] = [remembering(store), remembering(store)];
    await say(one.agent, "c", "Go.");
    await say(other.agent, "d", "Go.");
    await forget(store, undefined, [id]);
    await say(one.agent, "c", "Go on.");
    await say(other.agent, "d", "Go on.");
    const shown = [one, other].map(({ model }) => model.requests.map(({ system }) => system.includes("Use tabs.")));
    expect(shown).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  it("belongs to its user", async () => {
    const store = memoryStore();
    await remember(store, "ann", { words: "Use tabs." });
    const { agent, model } = remembering(store);
    await agent.ask("Go.", { user: "ann" });
    await agent.ask("Go.", { user: "bob" });
    expect(model.requests.map(({ system }) => system.includes("Use tabs."))).toEqual([true, false]);
  });

  it("about a project is shown in the scope where it was said", async () => {
    const store = memoryStore();
    const clock = ticking();
    const provider = choosing(([line]) => ({ keep: [{ ...line, about: "project" }] }));
    const remembered = memory({ store, provider, every: 1, clock });
    const models = [answering(), answering()] as const;
    const [here, there] = [
      agentOf(store, { provider: models[0], clock, scope: "/here" }).use(remembered.capability),
      agentOf(store, { provider: models[1], clock, scope: "/there" }).use(memory({ store }).capability),
    ];
    await say(here, "one", "The build needs Go 1.30.");
    await remembered.settled();
    await say(here, "two", "Go.");
    await say(there, "three", "Go.");
    expect(models.map(({ requests }) => requests.at(-1)?.system.includes("Go 1.30"))).toEqual([true, false]);
  });
});

describe("learning", () => {
  it("reads the person's own words alone", async () => {
    const store = memoryStore();
    const { agent, remembered, chooser, clock } = remembering(store, choosing(sentences), 1);
    const timestamp = clock();
    const origin = (proof?: string) => ({
      type: "record",
      kind: "origin",
      data: { ...(proof && { proof }) },
      timestamp,
    });
    const said = { type: "user", content: "I am imported.", timestamp };
    await store.append({ conversation: "imported" }, [said, { ...said }] as never);
    await store.append({ conversation: "unproved" }, [origin(), said] as never);
    const parent = {
      type: "record",
      kind: "parent",
      data: { conversation: "a", call: "b", root: "a", agents: [] },
      timestamp,
    };
    await store.append({ conversation: "child" }, [origin("p"), parent, said] as never);
    const notice = { ...said, origin: "notice" };
    const nudge = { ...said, origin: "nudge" };
    await store.append({ conversation: "told" }, [origin("p"), notice, nudge] as never);
    await agent.ask("I am a web page.", { conversation: "own", untrusted: "a page" });
    await say(agent, "own", "/fix I am the text of a command.");
    await say(agent, "own", `I am pasted. ${"x".repeat(2000)}`);
    await say(agent, "own", 'I read /etc/hosts.\n\n<file path="a">\nI am a file.\n</file>');
    await remembered.settled();
    await remembered.learn();
    expect(await wordsOf(store)).toEqual(["I read /etc/hosts."]);
    expect(JSON.stringify(chooser.requests)).not.toMatch(/imported|web page|text of a command|pasted|am a file/);
  });

  it("shows the model no secret, and keeps none", async () => {
    const store = memoryStore();
    const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
    const { agent, remembered, chooser } = remembering(store, choosing(sentences), 1);
    await say(agent, "one", `I use the key ${secret}. I like tea.`);
    await remembered.settled();
    expect(JSON.stringify(chooser.requests)).not.toContain(secret);
    expect(await wordsOf(store)).toEqual(["I like tea."]);
  });

  it("takes what was said before a fork once", async () => {
    const store = memoryStore();
    const { agent, remembered, chooser } = remembering(store, choosing(sentences), 2);
    await say(agent, "one", "I like tea.");
    await agent.fork("one", { as: "two" });
    await say(agent, "two", "I like rye.");
    await remembered.settled();
    expect(
      String(chooser.requests[0]?.messages[0]?.role === "user" && chooser.requests[0].messages[0].content).split("\n"),
    ).toHaveLength(2);
    expect(await wordsOf(store)).toEqual(["I like tea.", "I like rye."]);
  });

  it("looks again for a run that has ended meanwhile", async () => {
    const inner = memoryStore();
    const gate = Promise.withResolvers<void>();
    const store: Store = {
      ...inner,
      conversations: (options) => gate.promise.then(() => inner.conversations(options)),
    };
    const { agent, remembered } = remembering(store);
    await say(agent, "one", "I like tea.");
    await say(agent, "two", "I like rye.");
    gate.resolve();
    await remembered.settled();
    expect(await wordsOf(store)).toEqual(["I like tea.", "I like rye."]);
  });

  it("asks once more for an answer that it cannot read, and then goes on without", async () => {
    const store = memoryStore();
    const provider = scripted(["I would keep all of it.", "Really."]);
    const { agent, remembered } = remembering(store, provider, 1);
    await say(agent, "one", "I like tea.");
    await remembered.settled();
    provider.assertDone();
    expect(await remembered.learn()).toMatchObject({ messages: 0, memories: [] });
  });

  it("does not change a profile of others, and tells", async () => {
    const store = memoryStore();
    await store.saveProfile(undefined, { theme: "dark" });
    const { agent, remembered, problems, model } = remembering(store, choosing(sentences), 1);
    await say(agent, "one", "I like tea.");
    await remembered.settled();
    expect(problems).toEqual([expect.stringContaining("not one of this package")]);
    expect(await store.loadProfile(undefined)).toEqual({ profile: { theme: "dark" }, version: 1 });
    expect(model.requests).toHaveLength(1);
  });

  it("does not bring back what was forgotten while it went on", async () => {
    const store = memoryStore();
    const clock = ticking();
    const provider = choosing(sentences);
    const slow: typeof provider = {
      ...provider,
      async *stream(request, options) {
        await forgetAll(store, undefined, { clock });
        yield* provider.stream(request, options);
      },
    };
    const remembered = memory({ store, provider: slow, every: 1, clock });
    await say(agentOf(store, { clock }), "one", "I like tea.");
    expect(await remembered.learn()).toMatchObject({ messages: 1, memories: [] });
    expect(await wordsOf(store)).toEqual([]);
    expect(await remembered.learn()).toMatchObject({ messages: 0, memories: [] });
  });

  it("keeps what the person types while it goes on", async () => {
    const store = memoryStore();
    const clock = ticking();
    const provider = choosing(sentences);
    const slow: typeof provider = {
      ...provider,
      async *stream(request, options) {
        await remember(store, undefined, { words: "Use tabs." }, { clock });
        yield* provider.stream(request, options);
      },
    };
    const remembered = memory({ store, provider: slow, every: 1, clock });
    await say(agentOf(store, { clock }), "one", "I like tea.");
    await remembered.learn();
    expect(await wordsOf(store)).toEqual(["I like tea.", "Use tabs."]);
  });

  it("ends when the memory is closed, and leaves the profile as it was", async () => {
    const store = memoryStore();
    const asked = Promise.withResolvers<void>();
    const hanging = scripted([
      () => {
        asked.resolve();
        return { hang: true };
      },
    ]);
    const { agent, remembered, problems } = remembering(store, hanging, 1);
    await say(agent, "one", "I like tea.");
    await asked.promise;
    await remembered.close();
    await say(agent, "one", "I like rye.");
    expect(problems).toEqual([]);
    expect(await store.loadProfile(undefined)).toBeNull();
  });

  it("needs a model, and options that are right", async () => {
    const store = memoryStore();
    await expect(memory({ store }).learn()).rejects.toThrow(/`provider`/);
    expect(() => memory({ store, every: 0 })).toThrow(RangeError);
    expect(() => memory({ store, evry: 3 } as never)).toThrow(/Did you mean `every`/);
  });
});

describe("a store that fails", () => {
  it("lets the run go on without memories, and the run says so", async () => {
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      loadProfile: () => Promise.reject(new StoreError("unavailable", "The profiles are away.")),
    };
    const events: string[] = [];
    const agent = createAgent({ provider: answering(), store, keyRing }).use(memory({ store }).capability);
    const run = agent.run("Go.");
    for await (const event of run) if (event.type === "error") events.push(`${event.code}: ${event.content}`);
    expect((await run.result).status).toBe("completed");
    expect(events).toEqual([expect.stringMatching(/^instructions_failed: .*The profiles are away\.$/)]);
  });
});
