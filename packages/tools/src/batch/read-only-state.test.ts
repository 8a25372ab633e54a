import type { JsonObject, LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool, parallel, sequential } from "../../test/support/fixtures.ts";
import type { ToolState } from "../tool.ts";
import { readOnlyState } from "./read-only-state.ts";

function stateOf(): ToolState {
  const result = { tool: "look", status: "success" as const, content: { rows: [{ id: 1 }] } };
  return {
    events: [
      { type: "user", content: "hello", timestamp: 1 },
      { type: "record", kind: "finished", data: { id: "c0", result }, timestamp: 2 },
    ],
    metadata: { tenant: { name: "ada", roles: ["reader"] } },
    step: 2,
    usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  };
}

type Loose = { [key: string]: Loose } & Loose[] & { push(value: unknown): void };

const attacks: [string, (state: Loose) => unknown][] = [
  ["adds an event", (state) => state.events?.push({ type: "user", content: "forged", timestamp: 3 })],
  ["empties the events", (state) => Object.assign(state.events ?? {}, { length: 0 })],
  ["replaces an event", (state) => Object.assign(state.events ?? {}, { 0: "forged" })],
  ["sorts the events", (state) => (state.events as unknown as LogEvent[]).sort(() => -1)],
  ["changes an event", (state) => Object.assign(state.events?.[0] ?? {}, { content: "forged" })],
  ["changes what a record holds", (state) => state.events?.[1]?.data?.result?.content?.rows?.push({ id: 2 })],
  ["deletes a part of an event", (state) => Reflect.deleteProperty(state.events?.[0] ?? {}, "content") || refused()],
  ["adds metadata", (state) => Object.assign(state.metadata ?? {}, { admin: true })],
  ["changes nested metadata", (state) => Object.assign(state.metadata?.tenant ?? {}, { name: "eve" })],
  ["adds to a list of the metadata", (state) => state.metadata?.tenant?.roles?.push("admin")],
  ["changes the usage", (state) => Object.assign(state.usage ?? {}, { input: 0 })],
  ["changes the step", (state) => Object.assign(state, { step: 0 })],
  ["replaces the metadata", (state) => Object.assign(state, { metadata: {} })],
  ["replaces the events", (state) => Object.assign(state, { events: [] })],
  ["defines another property", (state) => Object.defineProperty(state, "more", { value: 1 })],
  ["puts a prototype under it", (state) => Object.setPrototypeOf(state.metadata ?? {}, { admin: true })],
];

function refused(): never {
  throw new TypeError("refused");
}

describe("the state that tools and hooks see", () => {
  it("is the state of the host", () => {
    expect(readOnlyState(stateOf())).toEqual(stateOf());
    expect({ ...readOnlyState(stateOf()) }).toEqual(stateOf());
    expect(structuredClone({ ...readOnlyState(stateOf()) })).toEqual(stateOf());
  });

  it.each(attacks)("cannot be changed by a tool that %s, neither for siblings nor for the host", async (_, attack) => {
    for (const mode of [parallel, sequential]) {
      const state = stateOf();
      const seen: unknown[] = [];
      const tools = [
        freeTool("attack", (_, context) => attack(context.state as unknown as Loose)),
        freeTool("look", (_, context) => seen.push(structuredClone({ ...context.state }))),
      ];
      const calls = [
        { name: "attack", args: {} },
        { name: "look", args: {} },
      ];
      const [attacker] = await executorOf(tools).run(calls, batchContext({ state }), mode);
      expect(attacker).toMatchObject({ outcome: "failure", error: expect.any(TypeError) });
      expect([state, seen]).toEqual([stateOf(), [stateOf()]]);
    }
  });

  it.each(attacks)("cannot be changed by a hook that %s", async (_, attack) => {
    const state = stateOf();
    const hooks = [
      { name: "before", beforeToolUse: ({ state }: { state: ToolState }) => void attack(state as unknown as Loose) },
    ];
    const [execution] = await executorOf([freeTool("look", () => 1)], { hooks }).run(
      [{ name: "look", args: {} }],
      batchContext({ state }),
    );
    expect([execution?.outcome, state]).toEqual(["blocked", stateOf()]);
  });

  const attacksOnMetadata = attacks.filter(([name]) => name.includes("metadata"));
  it.each(attacksOnMetadata)("cannot be changed by the patch of a hook that %s", async (_, attack) => {
    const state = stateOf();
    const patch = (metadata: JsonObject) => {
      attack({ metadata } as unknown as Loose);
      return metadata;
    };
    const hooks = [{ name: "h", afterToolUse: () => ({ patch }) }];
    const batch = executorOf([freeTool("look", () => 1)], { hooks }).open(batchContext({ state }));
    batch.add({ name: "look", args: {} });
    expect(await batch.run()).toMatchObject([{ outcome: "success" }]);
    expect([batch.metadata, state]).toEqual([stateOf().metadata, stateOf()]);
  });

  it("is copied only when it is read, and each event once", () => {
    const state = stateOf();
    let reads = 0;
    const events = new Proxy(state.events, {
      get(target, key, receiver) {
        if (key !== "length") reads += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    const one = readOnlyState({ ...state, events });
    expect(reads).toBe(0);
    expect(one.events).toBe(one.events);
    const other = readOnlyState({ ...state, events: [...state.events] });
    expect(other.events[1]).toBe(one.events[1]);
    expect(one.metadata).toBe(one.metadata);
  });

  it("stays as it was when the batch began, whatever events the host adds", () => {
    const state = stateOf();
    const seen = readOnlyState(state);
    (state.events as LogEvent[]).push({ type: "user", content: "later", timestamp: 3 });
    expect(seen.events).toHaveLength(2);
  });

  it("leaves objects that are not plain data as they are, and accepts cycles", () => {
    const client = new Map([["a", 1]]);
    const metadata: Record<string, unknown> = { client, run: () => 1, bare: Object.create(null) };
    metadata.self = metadata;
    const seen = readOnlyState({ ...stateOf(), metadata: metadata as never }).metadata as unknown as typeof metadata;
    expect([seen.client, seen.run, seen.self]).toEqual([client, metadata.run, seen]);
    expect(seen.client).toBe(client);
  });

  it("keeps a key __proto__ as data", () => {
    const metadata = JSON.parse('{"__proto__":{"admin":true}}');
    const seen = readOnlyState({ ...stateOf(), metadata }).metadata;
    expect([Object.hasOwn(seen, "__proto__"), seen.admin]).toEqual([true, undefined]);
  });
});
