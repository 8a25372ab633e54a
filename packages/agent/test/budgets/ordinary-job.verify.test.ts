import { type Price, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAgent } from "../../src/index.ts";
import { block, conversation, types } from "../support/fixtures.ts";

const steps = 100;
/** Each step adds 1,000 tokens to a context of 100,000. */
const contextAt = (step: number) => 100_000 + 1000 * step;

/** How a server counts the input of a request. */
const servers = {
  "with a cache": (step: number) => ({ input: 1000, cacheRead: contextAt(step), cacheWrite: 0 }),
  "without a cache": (step: number) => ({ input: contextAt(step), cacheRead: 0, cacheWrite: 0 }),
  "that writes its cache anew each time": (step: number) => ({ input: 0, cacheRead: 0, cacheWrite: contextAt(step) }),
};

/** Prices of a cheap and a dear model, and of one in another currency. */
const rows: readonly [server: keyof typeof servers, price: Price | undefined][] = [
  ["without a cache", undefined],
  ["without a cache", { input: 0, output: 1 }],
  ["without a cache", { input: 15, output: 75 }],
  ["with a cache", { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  ["that writes its cache anew each time", { input: 2000, output: 8000, cacheRead: 200, cacheWrite: 2500 }],
];

const edit = defineTool({
  name: "edit",
  description: "Edit.",
  input: { type: "object", properties: { line: { type: "number" } }, required: ["line"] },
  execute: () => "done",
});
const look = defineTool({
  name: "look",
  description: "Look.",
  input: { type: "object", properties: {} },
  annotations: { readOnlyHint: true },
  execute: () => "text",
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

describe("a job of 100 steps with a context of 100,000 tokens, and the usual limits", () => {
  it.each(rows)(
    "comes to its end, and the model never reads that little is left: a server %s, %j",
    async (server, price) => {
      const test = defineTool({
        name: "test",
        description: "Run the tests.",
        input: { type: "object", properties: {} },
        async execute() {
          // A step takes a minute.
          await vi.advanceTimersByTimeAsync(60_000);
          throw new Error("1 test failed");
        },
      });
      const step = (n: number): ScriptedStep => ({
        chunks: block(["look", {}], ["look", {}], ["edit", { line: n }], ["test", {}]),
        usage: { ...servers[server](n), output: 2000, reasoning: 1000 },
      });
      const provider = scripted([...Array.from({ length: steps }, (_, n) => step(n)), "Mended.<end>"], { model: "m" });
      const store = memoryStore();
      const tools = [edit, test, look];
      const agent = createAgent({ provider, tools, store, ...(price && { prices: { m: price } }) });
      const result = await agent.ask("Mend it.", { conversation });
      expect(result).toMatchObject({ status: "completed", text: "Mended.", steps: steps + 1 });
      expect(result.stop).toBeUndefined();
      const log = await store.load({ conversation });
      expect(types(log.filter((event) => event.type === "user" && event.origin === "notice"))).toEqual([]);
    },
  );

  it("is one turn of many in a conversation: each begins with what is left of its own budget", async () => {
    const answer = (n: number): ScriptedStep => ({
      chunks: "Done.<end>",
      usage: { input: 150_000 + n, cacheRead: 0, cacheWrite: 0, output: 10, reasoning: 0 },
    });
    const provider = scripted(
      Array.from({ length: 30 }, (_, n) => answer(n)),
      { model: "m" },
    );
    const agent = createAgent({
      provider,
      store: memoryStore(),
      request: { maxOutputTokens: 100 },
      budget: { tokens: 160_000, conversation: { tokens: 160_000 } },
    });
    for (let turn = 0; turn < 30; turn++) {
      expect(await agent.ask(`${turn}`, { conversation })).toMatchObject({ status: "completed" });
    }
  });
});
