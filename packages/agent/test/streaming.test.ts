import { type ModelEvent, type Provider, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import { block, collect, conversation, echo, twoSteps, types } from "./support/fixtures.ts";

describe("streaming modes", () => {
  const script = ["<think>a b</think>Hello there.", "<end>"].join("");
  const run = (stream: "token" | "event" | null, provider: Provider = scripted([script], { chunkSize: 5 })) =>
    createAgent({ provider }).run("go", { stream });

  it("token gives pieces as they arrive, numbered by unit", async () => {
    const events = await collect(run("token"));
    const pieces = events.filter((event) => event.type === "respond");
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map((event) => event.content).join("")).toBe("Hello there.");
    expect(new Set(pieces.map((event) => event.unit)).size).toBe(1);
  });

  it("token gives a piece before it pulls the next one", async () => {
    let asked = 0;
    const provider: Provider = {
      ...scripted([]),
      async *stream() {
        for (const text of ["one", " two", " three"]) {
          asked++;
          yield { type: "text", text };
        }
        yield { type: "finish", reason: "stop" };
      },
    };
    const seen: [string, number][] = [];
    for await (const event of run("token", provider)) if (event.type === "respond") seen.push([event.content, asked]);
    expect(seen).toEqual([
      ["one", 1],
      [" two", 2],
      [" three", 3],
    ]);
  });

  it("token announces calls with the ids under which they are stored", async () => {
    const store = memoryStore();
    const agent = createAgent({ provider: scripted([block(["echo", { text: "x" }]), "ok"]), tools: [echo], store });
    const call = (await collect(agent.run("go", { conversation, stream: "token" }))).find(
      ({ type }) => type === "call",
    );
    const [stored] = await store.load({ conversation }, { types: ["call"] });
    expect(call).toMatchObject({ id: expect.stringMatching(/^[A-Za-z0-9_-]{1,40}$/) });
    expect((stored as { id?: string }).id).toBe((call as { id?: string }).id);
  });

  it("event gives whole units", async () => {
    const events = await collect(run("event"));
    expect(events).toContainEqual({ type: "respond", content: "Hello there.", timestamp: expect.any(Number) });
    expect(types(events)).toEqual(["user", "think", "respond", "end", "metric"]);
  });

  it("null makes one non-streaming request a step and gives the same events", async () => {
    let generated = 0;
    const inner = scripted([script]);
    const provider: Provider = {
      ...inner,
      async generate(request) {
        generated++;
        const events: ModelEvent[] = [];
        for await (const event of inner.stream(request)) events.push(event);
        return events;
      },
    };
    expect(types(await collect(run(null, provider)))).toEqual(["user", "think", "respond", "end", "metric"]);
    expect(generated).toBe(1);
  });

  it("leaves the same log in every mode", async () => {
    const logs = await Promise.all(
      (["token", "event", null] as const).map(async (stream) => {
        const store = memoryStore();
        const agent = createAgent({ provider: scripted(twoSteps, { chunkSize: 2 }), tools: [echo], store });
        await agent.run("go", { conversation, stream }).result;
        return (await store.load({ conversation })).map((event) =>
          "content" in event ? [event.type, event.content] : [event.type],
        );
      }),
    );
    expect(logs[1]).toEqual(logs[0]);
    expect(logs[2]).toEqual(logs[0]);
  });

  it("gives reasoning that is not part of the text as think units, trimmed and in order", async () => {
    const events: ModelEvent[] = [
      { type: "reasoning", text: "\n first" },
      { type: "reasoning", text: " \ud83d" },
      { type: "reasoning", text: "\ude80 \n" },
      { type: "text", text: "<think>second</think>Ok" },
      { type: "reasoning", text: "third" },
      { type: "text", text: "ay" },
    ];
    const seen = await collect(run("event", scripted([{ events }])));
    expect(seen.filter(({ type }) => type === "think" || type === "respond")).toMatchObject([
      { type: "think", content: "first 🚀" },
      { type: "think", content: "second" },
      { type: "respond", content: "Ok" },
      { type: "think", content: "third" },
      { type: "respond", content: "ay" },
    ]);
  });
});

describe("reasoning that is not part of the text", () => {
  const run = (events: ModelEvent[], options: object = {}) =>
    collect(createAgent({ provider: scripted([{ events }]), ...options }).run("go"));

  it("may hold any amount of white space in pieces of any size", async () => {
    const spaces = Array.from({ length: 20_000 }, (): ModelEvent => ({ type: "reasoning", text: " ".repeat(50) }));
    const events: ModelEvent[] = [
      { type: "reasoning", text: "if x:\n" },
      ...spaces,
      { type: "reasoning", text: "return" },
    ];
    const [, think] = await run([...events, { type: "text", text: "ok" }]);
    expect(think).toMatchObject({ type: "think", content: `if x:\n${" ".repeat(1_000_000)}return` });
  });

  it("between two pieces of text separates them into two trimmed units", async () => {
    const seen = await run([
      { type: "text", text: "Hello" },
      { type: "reasoning", text: "hm" },
      { type: "text", text: " world" },
    ]);
    expect(seen.slice(1, 4)).toMatchObject([{ content: "Hello" }, { content: "hm" }, { content: "world" }]);
  });

  it("is not stored with a refused block", async () => {
    const store = memoryStore();
    const provider = scripted([
      {
        events: [
          { type: "reasoning", text: "long thoughts ".repeat(9) },
          { type: "text", text: "A.<execute>[bad]" },
        ],
      },
      "ok",
    ]);
    await createAgent({ provider, store }).run("go", { conversation }).result;
    const [, record] = await store.load({ conversation }, { types: ["record"] });
    expect(record).toMatchObject({ kind: "rejected", data: { text: "<execute>[bad]" } });
  });

  it("has timestamps of the agent's clock, as every event has", async () => {
    const seen = await run(
      [
        { type: "reasoning", text: "a" },
        { type: "text", text: "b" },
      ],
      { clock: () => 5 },
    );
    expect(new Set(seen.map((event) => event.timestamp))).toEqual(new Set([5]));
  });
});
