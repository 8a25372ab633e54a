import type { ModelEvent } from "@cogency/provider";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { block, collect, conversation, echo } from "../support/fixtures.ts";

const calls = (...texts: string[]) => block(...texts.map((text): [string, object] => ["echo", { text }]));

function agentOf(steps: Parameters<typeof scripted>[0], options: Partial<AgentOptions> = {}) {
  const provider = scripted(steps, { capabilities: { tools: true } });
  return { provider, ...createAgent({ provider, tools: [echo], store: memoryStore(), ...options }) };
}

describe("a limit of the calls of a run", () => {
  it("refuses a block that holds more than are left, and the model writes a smaller one", async () => {
    const { run, provider } = agentOf([calls("a", "b"), calls("c", "d"), calls("e"), "Done."], {
      budget: { toolCalls: 3 },
    });
    const going = run("go");
    const events = await collect(going);
    const results = events.flatMap((event) => (event.type === "result" ? [event.payload.success_count] : []));
    expect(results).toEqual([2, 1]);
    expect(events.find((event) => event.type === "error")).toMatchObject({
      code: "too_many_calls",
      content:
        "The block held more than the 1 calls that are left of the budget, so none of them ran. Write fewer calls in one block.",
    });
    expect(JSON.stringify(provider.requests[2]?.messages)).toContain("that are left of the budget");
    expect(await going.result).toMatchObject({ status: "completed", text: "Done." });
  });

  it("lets the model answer when they are used up, and ends the run if it calls once more", async () => {
    const { ask } = agentOf([calls("a"), calls("b"), "Done.", calls("a"), "So.", calls("b"), calls("c")], {
      budget: { toolCalls: 2 },
    });
    expect(await ask("go")).toMatchObject({ status: "completed", text: "Done." });
    const { ask: again, provider } = agentOf([calls("a"), calls("b"), `One more.${calls("c")}`], {
      budget: { toolCalls: 2 },
    });
    expect(await again("go")).toMatchObject({
      status: "stopped",
      text: "One more.",
      steps: 3,
      stop: {
        reason: "calls_limit",
        message:
          "The run has made 2 of 2 tool calls, and the model calls more. The limit is `budget.toolCalls`: raise it, and go on with a new prompt.",
        context: { totalToolCalls: 2, maxToolCalls: 2 },
      },
    });
    provider.assertDone();
  });

  it("holds for native calls", async () => {
    const call = (id: string): ModelEvent => ({ type: "tool_call", id, name: "echo", arguments: '{"text":"x"}' });
    const { ask } = agentOf([{ events: [call("1")] }, { events: [call("2")] }], {
      driver: nativeDriver(),
      budget: { toolCalls: 1 },
    });
    expect(await ask("go")).toMatchObject({ status: "stopped", stop: { reason: "calls_limit" } });
  });

  it("is 1,000 by default, failed calls and those of one block included", async () => {
    const some = calls(...Array.from({ length: 500 }, (_, n) => `${n}`));
    const bad = block(...Array.from({ length: 500 }, (): [string, object] => ["nothing", {}]));
    const { ask } = agentOf([some, bad, calls("x")]);
    expect(await ask("go")).toMatchObject({
      steps: 3,
      stop: { reason: "calls_limit", context: { maxToolCalls: 1000 } },
    });
  });

  it("may be one of the conversation, which also counts calls that a crash left open", async () => {
    const budget = { conversation: { toolCalls: 3 } };
    const store = memoryStore();
    const { ask } = agentOf([calls("a", "b"), "Done."], { store, budget });
    await ask("go", { conversation });
    // The process died after the block was stored.
    const last = (await store.load({ conversation })).at(-1)?.seq;
    const call = { type: "call", content: '{"name":"echo","args":{"text":"c"}}', id: "c1", timestamp: 1 } as const;
    const user = { type: "user", content: "more", timestamp: 1 } as const;
    await store.append({ conversation }, [user, call], { expected: last });
    const { recover } = agentOf([calls("d")], { store, budget });
    expect(await recover({ conversation }).result).toMatchObject({
      status: "stopped",
      stop: { reason: "calls_limit", context: { totalToolCalls: 3, maxToolCalls: 3, of: "conversation" } },
    });
  });
});
