import type { LogEvent } from "@cogency/protocol";
import { ProviderError, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool, StopRun, type ToolHook } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { AgentOptions } from "../src/agent-options.ts";
import { createAgent } from "../src/create-agent.ts";
import type { RunResult } from "../src/run.ts";
import { block, collect, conversation, echo, types } from "./support/fixtures.ts";

type Script = Parameters<typeof scripted>[0];

/** A tool that ends the run. */
const finish = (reason: "completed" | "steps_limit") =>
  defineTool({
    name: "finish",
    description: "End the run.",
    input: z.object({}),
    execute: () => {
      throw new StopRun({ reason, message: "That is enough.", context: { by: "finish" } });
    },
  });

const stopping: ToolHook = {
  name: "stopping",
  beforeToolUse: () => ({
    stop: { reason: "steps_limit", message: "The host has seen enough.", context: {} },
  }),
};

const said = `So.${block(["echo", { text: "x" }])}`;
const whole = ({ status, text, stop }: RunResult) => ({ status, text, stop });

/** Runs a conversation to its end, and recovers it with an agent whose model and tools must not be used. */
async function recovered(script: Script, options: Partial<AgentOptions>, store: Store = memoryStore()) {
  const first = createAgent({ provider: scripted(script), tools: [echo], store, ...options });
  const ended = await first.run("go", { conversation }).result;
  const log = await store.load({ conversation });
  let ran = 0;
  const counted = (options.tools ?? [echo]).map((tool) => ({ ...tool, execute: () => ++ran }));
  const provider = scripted(["Once more.<end>"]);
  const again = createAgent({ ...options, provider, tools: counted, store }).recover({ conversation });
  const events = await collect(again);
  const result = await again.result;
  const added = (await store.load({ conversation })).slice(log.length);
  return { ended, result, events, requests: provider.requests.length, ran, added };
}

describe("recovering a conversation whose run has ended", () => {
  it.each<[string, Script, Partial<AgentOptions>, Partial<RunResult>]>([
    ["with an answer", ["Hello.<end>"], {}, { status: "completed", text: "Hello." }],
    ["with an answer after calls", [said, "It says x.<end>"], {}, { text: "It says x." }],
    ["with an answer of two units", ["One.<think>hm</think>Two.<end>"], {}, { text: "One.\n\nTwo." }],
    [
      "with an answer that was cut off",
      [{ chunks: "Hel", finish: "length" }],
      {},
      { text: "Hel", stop: expect.objectContaining({ reason: "finish_reason" }) },
    ],
    [
      "by a tool that says the work is done",
      [block(["finish", {}])],
      { tools: [finish("completed")] },
      { status: "completed", stop: expect.objectContaining({ message: "That is enough." }) },
    ],
    [
      "by a tool that stops it",
      [block(["finish", {}])],
      { tools: [finish("steps_limit")] },
      { status: "stopped", stop: expect.objectContaining({ message: "That is enough." }) },
    ],
    [
      "by a hook",
      [block(["echo", { text: "x" }])],
      { execution: { hooks: [stopping] } },
      { status: "stopped", stop: expect.objectContaining({ message: "The host has seen enough." }) },
    ],
    [
      "at the limit of its steps",
      [block(["echo", { text: "x" }])],
      { budget: { steps: 1 } },
      { status: "stopped", stop: expect.objectContaining({ reason: "steps_limit" }) },
    ],
    [
      "at the limit of its steps, after an answer that could not be used",
      ["<execute>[{]</execute>"],
      { budget: { steps: 1 } },
      { status: "stopped", stop: expect.objectContaining({ reason: "steps_limit" }) },
    ],
    [
      "at the limit of repeated calls",
      [block(["echo", { text: "x" }]), block(["echo", { text: "x" }])],
      { budget: { repeats: 2 } },
      { status: "stopped", stop: expect.objectContaining({ reason: "retry_limit" }) },
    ],
  ])("%s, asks no model, runs no tool, stores nothing and gives the same result", async (_, script, options, shape) => {
    const { ended, result, events, requests, ran, added } = await recovered(script, options);
    expect(ended).toMatchObject(shape);
    expect(whole(result)).toEqual(whole(ended));
    expect([events, requests, ran, added]).toEqual([[], 0, 0, []]);
  });

  it.each<[string, Script, Partial<AgentOptions>, string]>([
    ["by a tool", [`So.${block(["finish", {}])}`], { tools: [finish("completed")] }, "So."],
    ["at the limit of its steps", [said], { budget: { steps: 1 } }, "So."],
    ["with an empty answer after results", [said, "<end>"], {}, "So."],
    ["cut off before an answer", [said, { chunks: "<think>hm</think>", finish: "length" }], {}, "So."],
  ])("%s, gives the text of an earlier step as that run did", async (_, script, options, text) => {
    const { ended, result } = await recovered(script, options);
    expect(ended.text).toBe(text);
    expect(result.text).toBe(text);
  });

  it("twice gives the same twice", async () => {
    const store = memoryStore();
    await createAgent({ provider: scripted(["Hello.<end>"]), store }).run("go", { conversation }).result;
    const agent = createAgent({ provider: scripted([]), store });
    const first = await agent.recover({ conversation }).result;
    expect(await agent.recover({ conversation }).result).toEqual(first);
    expect(first).toMatchObject({ status: "completed", text: "Hello.", steps: 0, toolErrors: 0 });
  });

  it("and was continued, gives the result of the last run only", async () => {
    const store = memoryStore();
    const agent = createAgent({ provider: scripted(["One.<end>", "Two.<end>"]), store });
    await agent.run("1", { conversation }).result;
    await agent.run("2", { conversation }).result;
    expect(await agent.recover({ conversation }).result).toMatchObject({ status: "completed", text: "Two." });
  });
});

describe("recovering a conversation whose run has not ended", () => {
  const goesOn = async (store: Store, text = "Once more.") => {
    const provider = scripted([`${text}<end>`]);
    const agent = createAgent({ provider, tools: [echo], store });
    expect(await agent.recover({ conversation }).result).toMatchObject({ status: "completed", text });
    expect(provider.requests).toHaveLength(1);
  };

  it.each<[string, unknown]>([
    ["was cancelled", undefined],
    ["met a deadline", new DOMException("The time is over.", "TimeoutError")],
  ])("because it %s, continues it", async (_, reason) => {
    const store = memoryStore();
    const controller = new AbortController();
    const provider = scripted([{ chunks: ["Half", " an"], hang: true }]);
    const run = createAgent({ provider, store }).run("go", {
      conversation,
      signal: controller.signal,
      stream: "token",
    });
    for await (const event of run) if (event.type === "respond") controller.abort(reason);
    expect(await run.result).toMatchObject({ status: "stopped" });
    await goesOn(store);
  });

  it("because it failed, continues it", async () => {
    const store = memoryStore();
    const provider = scripted([{ chunks: "Half", error: new ProviderError("server", "down") }]);
    const run = createAgent({ provider, store }).run("go", { conversation });
    expect(await run.result).toMatchObject({ status: "failed" });
    await goesOn(store);
  });

  it("because the model made no progress, continues it", async () => {
    const store = memoryStore();
    const provider = scripted(["<execute>[{]</execute>"]);
    const run = createAgent({ provider, store, budget: { failures: 1 } }).run("go", { conversation });
    expect(await run.result).toMatchObject({ status: "failed", error: { code: "no_progress" } });
    await goesOn(store);
  });

  it("because the consumer left before the answer, continues it", async () => {
    const store = memoryStore();
    const provider = scripted([{ chunks: ["Half", " an"], hang: true }]);
    const run = createAgent({ provider, store }).run("go", { conversation, stream: "token" });
    for await (const event of run) if (event.type === "respond") break;
    await goesOn(store);
  });

  it("by the log of an older version, which has no `run` records, continues it", async () => {
    const newer = memoryStore();
    await createAgent({ provider: scripted([said, "It says x.<end>"]), tools: [echo], store: newer }).run("go", {
      conversation,
    }).result;
    const log = (await newer.load({ conversation })).map(({ seq: _, ...event }) => event as LogEvent);
    const older = memoryStore();
    await older.append(
      { conversation },
      log.filter((event) => event.type !== "record" || event.kind !== "run"),
    );
    await goesOn(older);
    const added = (await older.load({ conversation })).slice(log.length - 1);
    expect(added[0]).toMatchObject({ type: "user", origin: "recovery" });
    // From now on its end is in the log.
    expect(types(added).at(-1)).toBe("record");
    const agent = createAgent({ provider: scripted([]), store: older });
    expect(await agent.recover({ conversation }).result).toMatchObject({ text: "Once more." });
  });
});
