import type { LogEvent } from "@cogency/protocol";
import { type ModelEvent, ProviderError, type ScriptedReply, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type AgentOptions, createAgent } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { reactDriver } from "../src/react.ts";
import { block, conversation, echo, types } from "./support/fixtures.ts";

const city = z.object({ name: z.string(), inhabitants: z.number().int() });
const paris = { name: "Paris", inhabitants: 2_100_000 };
const answer = JSON.stringify(paris);
const key = { conversation };

/** A log that an object run left when its process died, with these events after the words of the person. */
async function crashed(...events: LogEvent[]): Promise<Store> {
  const store = memoryStore();
  const dying = createAgent({ provider: scripted([{ error: new Error("killed") }]), store, tools: [echo] });
  await dying.object("Tell me of Paris.", city, key).result;
  if (events.length > 0) await store.append(key, events);
  return store;
}

function agentOn(store: Store, steps: ScriptedReply[], options: Partial<AgentOptions> = {}) {
  const provider = scripted(steps, { capabilities: { format: true, tools: true } });
  return { provider, ...createAgent({ provider, store, tools: [echo], ...options }) };
}

const asksForObject = (system: string | undefined) => system?.includes('"inhabitants"') ?? false;

describe("recover", () => {
  it("goes on with a run for an object: it asks for the schema, and its result has the object", async () => {
    const store = await crashed();
    const { recover, provider } = agentOn(store, [`${answer}<end>`]);
    expect(await recover(key).result).toMatchObject({ status: "completed", text: answer, object: paris });
    expect(asksForObject(provider.requests[0]?.system)).toBe(true);
  });

  it("tells the model what is wrong with an answer that does not fit", async () => {
    const store = await crashed();
    const { recover, provider } = agentOn(store, ["Paris is large.<end>", `${answer}<end>`]);
    expect(await recover(key).result).toMatchObject({ status: "completed", object: paris, steps: 2 });
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain("Your answer is not JSON");
  });

  it.each<[string, Partial<AgentOptions>, ScriptedReply, boolean]>([
    ["native", { driver: nativeDriver() }, answer, true],
    ["native, without tools", { driver: nativeDriver(), tools: [] }, answer, true],
    ["the text protocol, without tools", { tools: [] }, `${answer}<end>`, true],
    ["react", { driver: reactDriver() }, JSON.stringify({ thought: "", type: "final_answer", answer }), true],
  ])("goes on with it whatever the driver is now: %s", async (_, options, step, isConstrained) => {
    const { recover, provider } = agentOn(await crashed(), [step], options);
    expect(await recover(key).result).toMatchObject({ status: "completed", object: paris });
    expect(asksForObject(provider.requests[0]?.system)).toBe(true);
    expect(provider.requests[0]?.format !== undefined).toBe(isConstrained);
  });

  it("goes on with it after calls that were left open", async () => {
    const events: LogEvent[] = [
      { type: "call", content: '{"name":"echo","args":{"text":"2100000"}}', id: "call_1", timestamp: 1 },
    ];
    const store = await crashed(...events);
    const { recover } = agentOn(store, [`${answer}<end>`]);
    expect(await recover(key).result).toMatchObject({ status: "completed", object: paris });
    expect(types(await store.load(key))).toContain("result");
  });

  it("goes on with it after a cancel, and after words that a person sent into the middle of it", async () => {
    const store = memoryStore();
    const stopped = new AbortController();
    const act = block(["echo", { text: "a" }]);
    const first = agentOn(store, [act, `${answer}<end>`]);
    const waiting = first.object("Tell me of Paris.", city, {
      ...key,
      signal: stopped.signal,
      on: (event) => event.type === "tool_ended" && stopped.abort(),
    });
    expect(await waiting.result).toMatchObject({ status: "stopped" });
    await first.send(key, { kind: "steer", content: "In French, please." });
    const { recover, provider } = agentOn(store, [`${answer}<end>`]);
    expect(await recover(key).result).toMatchObject({ status: "completed", object: paris });
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain("In French");
  });

  it("gives the object again of a run that has ended, without asking", async () => {
    const store = memoryStore();
    await agentOn(store, [`${answer}<end>`]).object("Tell me of Paris.", city, key).result;
    const { recover } = agentOn(store, []);
    expect(await recover(key).result).toMatchObject({ status: "completed", text: answer, object: paris });
  });

  it("is done by a sweep as well", async () => {
    const store = memoryStore();
    const timeout = new ProviderError("timeout", "too late");
    await agentOn(store, [{ error: timeout }]).object("Tell me of Paris.", city, key).result;
    await store.wake(key, { id: "soon", at: 0 });
    const { sweep, provider } = agentOn(store, [`${answer}<end>`]);
    await sweep();
    expect(asksForObject(provider.requests[0]?.system)).toBe(true);
  });

  it.each<[string, LogEvent[]]>([
    ["a prompt that came after it", [{ type: "user", content: "And Oslo?", timestamp: 2 }]],
    ["piped text that came after it", [{ type: "user", content: "Oslo", origin: "untrusted", timestamp: 2 }]],
    [
      "a prompt from the inbox",
      [
        { type: "record", kind: "message", data: { id: "m", kind: "prompt" }, timestamp: 2 },
        { type: "user", content: "And Oslo?", timestamp: 2 },
      ],
    ],
    ["a record that holds no schema", [{ type: "record", kind: "object", data: null as never, timestamp: 2 }]],
    [
      "a record whose schema cannot be applied",
      [{ type: "record", kind: "object", data: { schema: { $ref: "#/nowhere" } }, timestamp: 2 }],
    ],
  ])("asks for words where the last turn is %s", async (_, events) => {
    const { recover, provider } = agentOn(await crashed(...events), ["Oslo is smaller.<end>"]);
    const result = await recover(key).result;
    expect(result).toMatchObject({ status: "completed", text: "Oslo is smaller." });
    expect(result).not.toHaveProperty("object");
    expect(asksForObject(provider.requests[0]?.system)).toBe(false);
  });

  it("asks for words for a prompt that waits in the inbox when the run has ended", async () => {
    const store = memoryStore();
    const first = agentOn(store, [`${answer}<end>`]);
    await first.object("Tell me of Paris.", city, key).result;
    await first.send(key, { kind: "prompt", content: "And Oslo?" });
    const { recover, provider } = agentOn(store, ["Oslo is smaller.<end>"]);
    expect(await recover(key).result).toMatchObject({ status: "completed", text: "Oslo is smaller." });
    expect(asksForObject(provider.requests[0]?.system)).toBe(false);
  });

  it("asks for words in a log of an earlier version, which says nothing of an object", async () => {
    const store = memoryStore();
    for (const { seq: _, ...event } of await (await crashed()).load(key)) {
      if (event.type !== "record" || event.kind !== "object") await store.append(key, [event as LogEvent]);
    }
    const { recover, provider } = agentOn(store, ["Paris is large.<end>"]);
    expect(await recover(key).result).toMatchObject({ status: "completed", text: "Paris is large." });
    expect(asksForObject(provider.requests[0]?.system)).toBe(false);
  });
});

it("goes on with an object in a fork of the conversation", async () => {
  const store = await crashed();
  const { fork, recover } = agentOn(store, [`${answer}<end>`]);
  const other = await fork(conversation);
  expect(await recover({ conversation: other }).result).toMatchObject({ object: paris });
});

it("is not shown to the model as a message", async () => {
  const events: ModelEvent[] = [
    { type: "text", text: answer },
    { type: "finish", reason: "stop" },
  ];
  const { recover, provider } = agentOn(await crashed(), [{ events }], { driver: nativeDriver() });
  await recover(key).result;
  expect(provider.requests[0]?.messages).toEqual([{ role: "user", content: "Tell me of Paris." }]);
});
