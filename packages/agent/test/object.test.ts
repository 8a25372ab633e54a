import type { JsonSchema, LogEvent } from "@cogency/protocol";
import { type ModelEvent, ProviderError, type ScriptedOptions, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { type AgentOptions, createAgent, protocolDriver } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { block, conversation, echo, types } from "./support/fixtures.ts";

const city = z.object({ name: z.string(), inhabitants: z.number().int() });
const paris = { name: "Paris", inhabitants: 2_100_000 };
const answer = JSON.stringify(paris);

function agentOf(steps: ScriptedStep[], options: Partial<AgentOptions> = {}, model: ScriptedOptions = {}) {
  const provider = scripted(steps, { chunkSize: 5, ...model });
  const store = memoryStore();
  return { provider, store, ...createAgent({ provider, store, ...options }) };
}

const contents = (log: readonly LogEvent[], type: string) =>
  log.flatMap((event) => (event.type === type && "content" in event ? [String(event.content)] : []));

describe("an object", () => {
  it("is what the schema makes of the answer, with the types of the schema", async () => {
    const { object } = agentOf([`${answer}<end>`]);
    const result = await object("Tell me of Paris.", city).result;
    expect(result).toMatchObject({ status: "completed", object: paris, steps: 1 });
    expectTypeOf(result.object).toEqualTypeOf<{ name: string; inhabitants: number } | undefined>();
    const upper = z.string().transform((text) => text.length);
    expect((await agentOf(['"four"<end>']).object("?", upper as never).result).object).toBe(4);
    const plain = await agentOf(["[1,2]"]).object("?", { type: "array", items: { type: "number" } }).result;
    expect(plain.object).toEqual([1, 2]);
    expectTypeOf(plain.object).toEqualTypeOf<number[] | undefined>();
  });

  it("is given as it is written, each time more of it is known", async () => {
    const { object } = agentOf([`${answer}<end>`]);
    const { partials, result } = object("Tell me of Paris.", city);
    const seen: unknown[] = [];
    for await (const partial of partials) seen.push(partial);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toEqual(paris);
    expect(seen.slice(0, -1).every((partial) => JSON.stringify(partial).length < answer.length)).toBe(true);
    expect((await result).object).toEqual(paris);
  });

  it("has its last state for whoever comes late, or leaves and comes back", async () => {
    const run = agentOf([`${answer}<end>`]).object("?", city);
    for await (const _ of run.partials) break;
    expect((await run.result).object).toEqual(paris);
    const late: unknown[] = [];
    for await (const partial of run.partials) late.push(partial);
    expect(late).toEqual([paris]);
  });

  it.each<[string, string, string]>([
    ["is not JSON", "Paris has 2 million.", "is not JSON"],
    ["does not fit", '{"name":"Paris","inhabitants":"many"}', "inhabitants"],
    ["is cut short", '{"name":"Par', "is not JSON"],
  ])("is asked for again if the answer %s: the model reads why", async (_, bad, why) => {
    const { object, provider, store } = agentOf([`${bad}<end>`, `${answer}<end>`]);
    const { partials, result } = object("?", city, { conversation });
    const seen: unknown[] = [];
    for await (const partial of partials) seen.push(partial);
    expect(await result).toMatchObject({ status: "completed", object: paris, steps: 2 });
    expect(seen.at(-1)).toEqual(paris);
    const log = await store.load({ conversation });
    expect(contents(log, "user").at(-1)).toContain(why);
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain(why);
  });

  it("is taken out of a code fence", async () => {
    const { object } = agentOf([`\`\`\`json\n${answer}\n\`\`\`\n<end>`]);
    expect((await object("?", city).result).object).toEqual(paris);
  });

  it("is missing, without an exception, when the model never gives one", async () => {
    const { object } = agentOf(["no<end>", "no<end>", "no<end>"]);
    const { partials, result } = object("?", city);
    for await (const _ of partials);
    const { status, error, object: none } = await result;
    expect([status, error?.code, none]).toEqual(["failed", "no_progress", undefined]);
  });

  it.each<[string, ScriptedStep[], AbortSignal | undefined, string]>([
    ["the provider fails", [{ error: new ProviderError("bad_request", "no") }], undefined, "failed"],
    ["it is cancelled", [answer], AbortSignal.abort(), "stopped"],
  ])("is missing, without an exception, when %s", async (_, steps, signal, status) => {
    const { partials, result } = agentOf(steps).object("?", city, { signal });
    for await (const _partial of partials);
    expect(await result).toMatchObject({ status });
    expect((await result).object).toBeUndefined();
  });

  it("comes after the calls that the model needs", async () => {
    const steps = [`Wait. ${block(["echo", { text: "2100000" }])}`, `${answer}<end>`];
    const { object, store } = agentOf(steps, { tools: [echo] });
    const { partials, result } = object("?", city, { conversation });
    const seen: unknown[] = [];
    for await (const partial of partials) seen.push(partial);
    expect(await result).toMatchObject({ status: "completed", object: paris });
    expect(seen.at(-1)).toEqual(paris);
    expect(types(await store.load({ conversation }))).toContain("result");
  });

  describe("is constrained by the provider", () => {
    const able = { capabilities: { format: true, tools: true } };
    const stop: ModelEvent = { type: "finish", reason: "stop" };
    const native: ScriptedStep = { events: [{ type: "text", text: answer }, stop] };
    const schemaOf = (request: { format?: JsonSchema } | undefined) => request?.format?.type;

    it.each<[string, Partial<AgentOptions>, ScriptedOptions, ScriptedStep, string | undefined]>([
      ["where it can", {}, able, `${answer}<end>`, "object"],
      ["with native calls", { tools: [echo], driver: nativeDriver() }, able, native, "object"],
      [
        "not where calls are written in the answer",
        { tools: [echo], driver: protocolDriver() },
        able,
        answer,
        undefined,
      ],
      ["not where it cannot", {}, {}, answer, undefined],
    ])("%s", async (_, options, model, step, format) => {
      const { object, provider } = agentOf([step], options, model);
      expect((await object("?", city).result).object).toEqual(paris);
      expect(schemaOf(provider.requests[0])).toBe(format);
      expect(provider.requests[0]?.system).toContain('"inhabitants"');
    });
  });

  it("refuses a schema that no model could be shown, and options that are not its own", () => {
    const { object } = agentOf([]);
    const mute = { "~standard": { version: 1, vendor: "mute", validate: (value: unknown) => ({ value }) } } as const;
    expect(() => object("?", mute)).toThrow(/gives no JSON Schema/);
    expect(() => object("?", city, { stream: "token" } as never)).toThrow("object has no option `stream`");
    expect(() => object(7 as never, city)).toThrow(/prompt is 7/);
  });
});
