import { type LogEvent, parseResults } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent } from "../src/index.ts";
import { requestProblem } from "../src/testkit/request-problem.ts";
import { toolSearch } from "../src/tool-search.ts";
import { conversation } from "./support/fixtures.ts";
import { descriptionsOf, type Hand, handNames, hands, manyTools, seeker } from "./support/many-tools.ts";

const tools = manyTools(300);

/** A store whose process dies before its append with this number, from 0, and how many appends it got. */
function dying(inner: Store, at: number): Store {
  let appends = 0;
  return {
    ...inner,
    append: (...batch) => (appends++ < at ? inner.append(...batch) : Promise.reject(new Error("killed"))),
  };
}

const load = (store: Store) => store.load({ conversation });

/** How often the log says that a tool was found, and how often it has the description. */
const foundIn = (log: readonly LogEvent[], name: string) => [
  log.filter((event) => event.type === "record" && event.kind === "tools_found" && event.data.names.includes(name))
    .length,
  log.filter((event) => event.type === "user" && descriptionsOf(event.content, name) > 0).length,
];

const agentOf = (hand: Hand, store: Store, more: Partial<AgentOptions> = {}) => {
  const steps: ScriptedStep[] = Array(6).fill(seeker(hand, "lock a photo", "lock_photo"));
  const provider = scripted(steps, { chunkSize: 7, capabilities: { tools: hand.wraps === true } });
  const given = { provider, tools, store, driver: hand.driver(), toolSearch: toolSearch({ limit: 2 }) };
  return { provider, agent: createAgent({ ...given, ...more }) };
};

const keyRing = createKeyRing(["a ring of these processes, which is long enough"]);

describe.each(handNames)("a process that dies while a model searches, with the driver for %s", (name) => {
  const hand: Hand = hands[name];

  it.each(["recover", "a prompt"])(
    "loses no description and makes none twice, between any two appends: %s",
    async (how) => {
      for (let survived = 0; ; survived++) {
        const store = memoryStore();
        const first = await agentOf(hand, dying(store, survived)).agent.ask("Lock it.", { conversation });
        const stored = await load(store);
        // A result that names the tool is never without its description.
        const hasFound = stored.some(
          (event) => event.type === "result" && event.content.includes('"lock_photo","desc'),
        );
        expect(foundIn(stored, "lock_photo")).toEqual(hasFound ? [1, 1] : [0, 0]);

        const { agent, provider } = agentOf(hand, store);
        const goesOn = how === "recover" && stored.length > 0;
        const next = goesOn ? agent.recover({ conversation }).result : agent.ask("Go on.", { conversation });
        expect(await next).toMatchObject({ status: "completed", text: "It is done." });
        for (const request of provider.requests) expect(requestProblem(request)).toBeUndefined();
        const log = await load(store);
        expect(foundIn(log, "lock_photo")).toEqual([1, 1]);
        if (first.status === "completed") break;
        expect(first).toMatchObject({ status: "failed", error: { code: "store" } });
      }
    },
  );

  it("can go on from every beginning of a log, such as a fork: the model knows how the tool is called", async () => {
    const whole = memoryStore();
    await agentOf(hand, whole).agent.ask("Lock it.", { conversation });
    const log = (await load(whole)).map(({ seq: _, ...event }) => event as LogEvent);
    expect(foundIn(log, "lock_photo")).toEqual([1, 1]);
    for (let length = 1; length <= log.length; length++) {
      const store = memoryStore();
      await store.append({ conversation }, log.slice(0, length));
      const { agent, provider } = agentOf(hand, store);
      const prompt = await agent.ask("Again.", { conversation });
      expect(prompt).toMatchObject({ status: "completed", text: "It is done." });
      for (const request of provider.requests) expect(requestProblem(request)).toBeUndefined();
      const [, descriptions] = foundIn(await load(store), "lock_photo");
      expect(descriptions).toBe(1);
    }
  });
});

describe("a search that a crash broke off", () => {
  const call = {
    type: "call",
    content: '{"name":"find_tools","args":{"query":"photo"}}',
    id: "call_1",
    timestamp: 2,
  } as const;
  const result = {
    tool: "find_tools",
    status: "success" as const,
    content: [{ name: "lock_photo", description: "Use it to lock a photo." }],
  };
  const crashed = async (...events: LogEvent[]) => {
    const store = memoryStore();
    await store.append({ conversation }, [{ type: "user", content: "go", timestamp: 1 }, call, ...events]);
    return store;
  };
  const started: LogEvent = { type: "record", kind: "started", data: { id: "call_1" }, timestamp: 3 };
  const finished: LogEvent = { type: "record", kind: "finished", data: { id: "call_1", result }, timestamp: 3 };

  it("keeps what it had found, and describes it with the result", async () => {
    const store = await crashed(started, finished);
    const { agent } = agentOf(hands.json, store);
    expect(await agent.recover({ conversation }).result).toMatchObject({ text: "It is done.", toolErrors: 0 });
    const log = await load(store);
    expect(foundIn(log, "lock_photo")).toEqual([1, 1]);
    expect(log.filter((event) => event.type === "call")).toHaveLength(2);
    const [first] = log.flatMap((event) => (event.type === "result" ? [parseResults(event.content)] : []));
    expect(first).toEqual([result]);
  });

  it("runs again if it had not ended", async () => {
    const store = await crashed(started);
    const { agent } = agentOf(hands.json, store);
    expect(await agent.recover({ conversation }).result).toMatchObject({ text: "It is done.", toolErrors: 0 });
    expect(foundIn(await load(store), "lock_photo")).toEqual([1, 1]);
  });

  it("is described also if a prompt closes it", async () => {
    const store = await crashed(started, finished);
    const { agent } = agentOf(hands.json, store);
    expect(await agent.ask("Go on.", { conversation })).toMatchObject({ text: "It is done." });
    expect(foundIn(await load(store), "lock_photo")).toEqual([1, 1]);
  });

  it("is described also if a cancel closes its batch, which waits for an answer about another call", async () => {
    const asked: LogEvent = {
      type: "call",
      content: '{"name":"share_photo","args":{"title":"A"}}',
      id: "call_2",
      timestamp: 2,
    };
    const store = await crashed(asked, started, finished);
    const { agent } = agentOf(hands.json, store, { tools: manyTools(300, { approval: "ask" }), keyRing });
    expect(await agent.recover({ conversation }).result).toMatchObject({ status: "waiting" });
    expect(foundIn(await load(store), "lock_photo")).toEqual([0, 0]);
    await agent.send({ conversation }, { kind: "cancel" });
    await agent.recover({ conversation }).result;
    const log = await load(store);
    expect(log.at(-1)?.type).toBe("cancelled");
    expect(foundIn(log, "lock_photo")).toEqual([1, 1]);
    const next = agentOf(hands.json, store);
    expect(await next.agent.ask("Go on.", { conversation })).toMatchObject({ text: "It is done." });
    expect(foundIn(await load(store), "lock_photo")).toEqual([1, 1]);
  });

  it("is described also if the consumer leaves before the result", async () => {
    const inner = memoryStore();
    const ended = Promise.withResolvers<void>();
    const store: Store = {
      ...inner,
      async append(key, events, options) {
        const last = await inner.append(key, events, options);
        if (events.some((event) => event.type === "record" && event.kind === "finished")) ended.resolve();
        return last;
      },
    };
    const { agent } = agentOf(hands.json, store);
    for await (const event of agent.run("Lock it.", { conversation })) {
      if (event.type !== "execute") continue;
      await ended.promise;
      break;
    }
    const log = await load(store);
    expect(log.at(-1)?.type).toBe("cancelled");
    expect(foundIn(log, "lock_photo")).toEqual([1, 1]);
    expect(await agent.ask("Go on.", { conversation })).toMatchObject({ text: "It is done." });
    expect(foundIn(await load(store), "lock_photo")).toEqual([1, 1]);
  });

  it("is gone with a conversation that is deleted", async () => {
    const store = await crashed(started, finished);
    const { agent } = agentOf(hands.json, store);
    await agent.recover({ conversation }).result;
    await store.delete({ conversation });
    const next = agentOf(hands.json, store);
    expect(await next.agent.ask("Lock it.", { conversation })).toMatchObject({ text: "It is done." });
    expect(foundIn(await load(store), "lock_photo")).toEqual([1, 1]);
  });
});
