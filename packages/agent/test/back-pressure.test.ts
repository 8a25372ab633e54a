import { type ModelEvent, type Provider, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { createAgent } from "../src/create-agent.ts";
import { block, conversation, types } from "./support/fixtures.ts";

const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** A model that counts how often each of its answers was asked for an event. */
function counted(...answers: ModelEvent[][]) {
  const pulls: number[] = [];
  const provider: Provider = {
    ...scripted([]),
    stream() {
      const answer = answers[pulls.length] ?? [];
      const index = pulls.push(0) - 1;
      const events = answer[Symbol.iterator]();
      return {
        [Symbol.asyncIterator]: () => ({
          async next() {
            pulls[index] = (pulls[index] ?? 0) + 1;
            return events.next() as IteratorResult<ModelEvent>;
          },
        }),
      };
    },
  };
  return { provider, pulls };
}

const text = (text: string): ModelEvent => ({ type: "text", text });
const end: ModelEvent[] = [{ type: "finish", reason: "stop" }];

/** Counts its calls. */
function counter() {
  const done = { calls: 0 };
  const tool = defineTool({
    name: "count",
    description: "Count.",
    input: z.object({}),
    execute: () => ++done.calls,
  });
  return { tool, done };
}

describe("a model is asked for its next piece", () => {
  it("when the consumer asks for the next event, and not before", async () => {
    const { provider, pulls } = counted([text("One "), text("two "), text("three"), text("<end>"), ...end]);
    const run = createAgent({ provider }).run("go", { stream: "token" });
    const seen: number[] = [];
    for await (const event of run) {
      await pause();
      if (event.type === "user") expect(pulls).toEqual([]);
      if (event.type === "respond") seen.push(pulls[0] ?? 0);
    }
    // The parser holds the last space back: it may be the end of the text.
    expect(seen).toEqual([1, 2, 3]);
  });

  it("as often as it takes to give the consumer an event: in the event view, up to the end of the unit", async () => {
    const { provider, pulls } = counted([text("One "), text("two"), text("<think>hm</think>"), text("three"), ...end]);
    const iterator = createAgent({ provider }).run("go")[Symbol.asyncIterator]();
    expect(await iterator.next()).toMatchObject({ value: { type: "user" } });
    await pause();
    expect(pulls).toEqual([]);
    expect(await iterator.next()).toMatchObject({ value: { type: "respond", content: "One two" } });
    await pause();
    expect(pulls).toEqual([3]);
    await iterator.return?.();
  });

  it("never ahead of the consumer, for any pieces and any way of pulling", async () => {
    const letters = fc.array(fc.constantFrom("a", "b ", "\n", "<think>", "</think>", "c"), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(letters, fc.constantFrom("token", "event"), async (pieces, stream) => {
        const { provider, pulls } = counted([...pieces.map(text), ...end]);
        const run = createAgent({ provider, budget: { steps: 1 } }).run("go", { stream });
        const iterator = run[Symbol.asyncIterator]();
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          const before = pulls[0];
          await new Promise(setImmediate);
          await new Promise(setImmediate);
          expect(pulls[0]).toBe(before);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("tools start when their block is stored", () => {
  it.each([
    ["token", "call"],
    ["event", "call"],
  ] as const)("although the consumer never pulls again: stream %j", async (stream, last) => {
    const { tool, done } = counter();
    const { provider } = counted(
      [text("So."), text(block(["count", {}], ["count", {}])), ...end],
      [text("ok"), ...end],
    );
    const store = memoryStore();
    const run = createAgent({ provider, tools: [tool], store }).run("go", { conversation, stream });
    const iterator = run[Symbol.asyncIterator]();
    let next = await iterator.next();
    while (next.value?.type !== last) next = await iterator.next();
    // No pull from here on.
    await vi.waitFor(
      async () => {
        const log = await store.load({ conversation });
        const finished = log.filter((event) => event.type === "record" && event.kind === "finished");
        expect([done.calls, finished.length]).toEqual([2, 2]);
      },
      { timeout: 60_000 },
    );
    await pause();
    const log = await store.load({ conversation });
    // The results are stored when the consumer asks for more.
    expect(types(log)).not.toContain("result");
    let rest = await iterator.next();
    const seen: string[] = [];
    while (!rest.done) {
      seen.push(rest.value.type);
      rest = await iterator.next();
    }
    expect(seen).toEqual(expect.arrayContaining(["result", "metric", "respond"]));
    expect(done.calls).toBe(2);
  });

  it("and not before, although the whole block has been read", async () => {
    const { tool, done } = counter();
    const { provider } = counted([text(block(["count", {}])), ...end], [text("ok"), ...end]);
    const inner = memoryStore();
    const storing = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const store: typeof inner = {
      ...inner,
      async append(key, events, options) {
        if (events.some(({ type }) => type === "call")) {
          asked.resolve();
          await storing.promise;
        }
        return inner.append(key, events, options);
      },
    };
    const { result } = createAgent({ provider, tools: [tool], store }).run("go", { conversation });
    await asked.promise;
    await pause();
    expect(done.calls).toBe(0);
    storing.resolve();
    expect(await result).toMatchObject({ status: "completed" });
    expect(done.calls).toBe(1);
  });

  it("while the rest of the answer is read, which costs the exact usage at most", async () => {
    const { tool, done } = counter();
    const { provider, pulls } = counted([text(block(["count", {}])), ...end], [text("ok"), ...end]);
    const iterator = createAgent({ provider, tools: [tool] })
      .run("go")
      [Symbol.asyncIterator]();
    let next = await iterator.next();
    while (next.value?.type !== "call") next = await iterator.next();
    await vi.waitFor(() => expect([done.calls, pulls]).toEqual([1, [3]]), { timeout: 60_000 });
    await iterator.return?.();
  });
});

describe("the appends of a whole run", () => {
  it("are two for a step: an answer with the beginnings of its calls, their ends with the results and the usage", async () => {
    const { tool } = counter();
    const { provider } = counted([text(`So.${block(["count", {}], ["count", {}])}`), ...end], [text("ok"), ...end]);
    const inner = memoryStore();
    const appends: string[][] = [];
    const store: typeof inner = {
      ...inner,
      append(key, events, options) {
        appends.push(events.map((event) => (event.type === "record" ? event.kind : event.type)));
        return inner.append(key, events, options);
      },
    };
    await createAgent({ provider, tools: [tool], store }).run("go", { conversation }).result;
    expect(appends).toEqual([
      ["origin", "user"],
      ["respond", "call", "call", "started", "started"],
      ["finished", "finished", "result", "usage"],
      ["respond", "usage", "run"],
    ]);
  });
});
