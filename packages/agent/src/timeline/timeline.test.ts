import type { RunEvent } from "@cogency/protocol";
import { type Provider, ProviderError, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool, type ToolHook } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { block, collect, conversation, echo, endless } from "../../test/support/fixtures.ts";
import { createAgent, protocolDriver } from "../index.ts";

const types = (events: readonly { type: string }[]) => events.map(({ type }) => type);

const progressing = defineTool({
  name: "dig",
  description: "Digs.",
  input: { type: "object" },
  annotations: { readOnlyHint: true },
  execute(_, { progress }) {
    progress({ done: 1 });
    return "deep";
  },
});

const drop = defineTool({
  name: "drop",
  description: "Drops.",
  input: { type: "object" },
  approval: "ask",
  execute: () => "dropped",
});

describe("the timeline of a run", () => {
  it("tells requests, calls from their beginning to their end, and how the run ended, in one order", async () => {
    const provider = scripted([block(["dig", {}]), "Done.<end>"]);
    const run = createAgent({ provider, tools: [progressing] }).run("go", { conversation, user: "ada", events: "all" });
    const events = await collect(run);
    expect(types(events)).toEqual([
      "run_started",
      "user",
      "step_started",
      "request_started",
      "request_ended",
      "call",
      "execute",
      "tool_started",
      "tool_progress",
      "tool_ended",
      "result",
      "metric",
      "step_ended",
      "continuation_evaluated",
      "step_started",
      "request_started",
      "respond",
      "end",
      "request_ended",
      "metric",
      "step_ended",
      "continuation_evaluated",
      "run_ended",
    ]);
    expect(events.map(({ run }) => run.order)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ run }) => `${run.id} ${run.conversation} ${run.user}`)).size).toBe(1);
    expect(events.map(({ run }) => run.step)).toEqual([...Array(2).fill(0), ...Array(12).fill(1), ...Array(9).fill(2)]);
    const call = events.find((event) => event.type === "call");
    expect(call?.id).toBeDefined();
    for (const event of events) {
      if (event.type.startsWith("tool_")) expect(event).toMatchObject({ id: call?.id, name: "dig" });
      if (event.type === "result") expect(event.ids).toEqual([call?.id]);
    }
    expect(events).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          type: "run_started",
          mode: "run",
          driver: "protocol",
          provider: "scripted",
          after: 0,
        }),
        expect.objectContaining({ type: "tool_progress", update: { done: 1 } }),
        expect.objectContaining({
          type: "tool_ended",
          outcome: "success",
          result: { tool: "dig", status: "success", content: "deep" },
        }),
        expect.objectContaining({ type: "continuation_evaluated", goesOn: false, reason: "The model has answered." }),
        expect.objectContaining({ type: "run_ended", status: "completed", usage: (await run.result).usage }),
      ]),
    );
  });

  it("is what listeners of the agent and of the run hear: the same objects, in the same order", async () => {
    const agent = createAgent({ provider: scripted([block(["echo", { text: "a" }]), "Done."]), tools: [echo] });
    const all: RunEvent[] = [];
    const own: RunEvent[] = [];
    const results: RunEvent[] = [];
    agent.on("*", (event) => all.push(event));
    agent.on("result", (event) => results.push(event));
    const taken = await collect(agent.run("go", { stream: "token", events: "all", on: (event) => own.push(event) }));
    expect(own).toHaveLength(taken.length);
    for (const [index, event] of taken.entries()) {
      expect(own[index]).toBe(event);
      expect(all[index]).toBe(event);
    }
    expect(results).toEqual(taken.filter(({ type }) => type === "result"));
  });

  it("leaves the events of the protocol as they are for a consumer that did not ask for all", async () => {
    const script = [block(["echo", { text: "a" }]), "Done."];
    const quiet = await collect(createAgent({ provider: scripted(script), tools: [echo] }).run("go"));
    const heard: RunEvent[] = [];
    const agent = createAgent({ provider: scripted(script), tools: [echo] });
    const events = await collect(agent.run("go", { on: (event) => heard.push(event) }));
    expect(types(events)).toEqual(types(quiet));
    expect(events.some((event) => "run" in event)).toBe(false);
    expect(types(heard)).toContain("tool_started");
  });

  it("tells what is stored after it is stored", async () => {
    const inner = memoryStore();
    const stored: string[] = [];
    const store: typeof inner = {
      ...inner,
      async append(key, events, options) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        const last = await inner.append(key, events, options);
        for (const event of events) stored.push(JSON.stringify(event));
        return last;
      },
    };
    const asking = { approval: { approve: async () => ({ approved: false, reason: "not today" }) } };
    const provider = scripted([block(["echo", { text: "x" }], ["drop", {}]), "Done."]);
    const agent = createAgent({ provider, tools: [echo, drop], store, execution: asking });
    const isStored = (...texts: string[]) => stored.some((event) => texts.every((text) => event.includes(text)));
    const seen: [string, boolean][] = [];
    agent.on("tool_ended", ({ id, name, outcome }) => {
      if (outcome === "success") seen.push([name, isStored('"finished"', id)]);
    });
    agent.on("approval_requested", ({ question }) => seen.push(["asked", isStored('"question"', question)]));
    agent.on("approval_settled", ({ question }) => seen.push(["settled", isStored('"denied"', question)]));
    agent.on("result", ({ content }) => seen.push(["result", isStored(JSON.stringify(content))]));
    await agent.run("go", { conversation }).result;
    expect(seen.map(([, isTrue]) => isTrue)).toEqual([true, true, true, true]);
    expect(seen.map(([what]) => what).toSorted()).toEqual(["asked", "echo", "result", "settled"]);
  });

  it("tells retries, a refused block, a call that a hook blocks, a denied one and a cancel", async () => {
    const hooks: ToolHook[] = [
      { name: "guard", beforeToolUse: ({ call }) => (call.name === "dig" ? { block: "no digging" } : undefined) },
    ];
    const texts = ["<execute>[{</execute>", block(["dig", {}], ["drop", {}]), block(["endless", {}])];
    const provider: Provider = {
      ...scripted([]),
      async *stream() {
        if (texts.length === 3)
          yield { type: "retry", attempt: 1, delay: 0, code: "rate_limit", message: "Slow down." };
        yield { type: "text", text: texts.shift() ?? "" };
        yield { type: "finish", reason: "stop" };
      },
    };
    const controller = new AbortController();
    const approve = async () => false;
    const agent = createAgent({ provider, tools: [progressing, drop, endless], execution: { hooks } });
    agent.on("tool_started", () => controller.abort());
    const events = await collect(agent.run("go", { events: "all", approve, signal: controller.signal }));
    expect(types(events)).toEqual([
      "run_started",
      "user",
      "step_started",
      "request_started",
      "request_retried",
      "error",
      "error",
      "request_ended",
      "metric",
      "step_ended",
      "continuation_evaluated",
      "step_started",
      "request_started",
      "request_ended",
      "call",
      "call",
      "execute",
      "tool_blocked",
      "tool_ended",
      "approval_requested",
      "approval_settled",
      "tool_ended",
      "result",
      "metric",
      "step_ended",
      "continuation_evaluated",
      "step_started",
      "request_started",
      "request_ended",
      "call",
      "execute",
      "tool_started",
      "tool_ended",
      "result",
      "metric",
      "step_ended",
      "continuation_evaluated",
      "interrupt",
      "cancelled",
      "run_ended",
    ]);
    expect(events.at(-1)).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
  });

  it("tells the arguments of calls as they are written, with the ids that the calls will have", async () => {
    const provider = scripted([block(["echo", { text: "a long text" }], ["echo", { text: "b" }]), "Done."], {
      chunkSize: 4,
    });
    const agent = createAgent({ provider, tools: [echo], driver: protocolDriver({ callDeltas: true }) });
    const events = await collect(agent.run("go", { stream: "token", events: "all" }));
    const ids = events.flatMap((event) => (event.type === "call" ? [event.id] : []));
    const written = ids.map((id) =>
      events.flatMap((event) => (event.type === "call_delta" && event.id === id ? [event.content] : [])).join(""),
    );
    expect(written).toEqual(['{"text":"a long text"}', '{"text":"b"}']);
    expect(events.filter((event) => event.type === "tool_started").map(({ id }) => id)).toEqual(ids);
    const settled = createAgent({
      provider: scripted([block(["echo", { text: "a" }]), "Done."]),
      tools: [echo],
      driver: protocolDriver({ callDeltas: true }),
    });
    expect(types(await collect(settled.run("go")))).not.toContain("call_delta");
  });

  it("ends with the failure of a run that fails, before the consumer gets the error", async () => {
    const provider = scripted([{ chunks: "Half", error: new ProviderError("server", "down") }]);
    const events: RunEvent[] = [];
    const run = createAgent({ provider }).run("go", { events: "all" });
    const reading = (async () => {
      for await (const event of run) events.push(event);
    })();
    await expect(reading).rejects.toMatchObject({ code: "provider" });
    expect(events.at(-1)).toMatchObject({ type: "run_ended", status: "failed", error: { code: "provider" } });
  });

  it("tells a run that could not begin", async () => {
    const store = memoryStore();
    await store.lease({ conversation }, { owner: "other", ttl: 60_000 });
    const heard: RunEvent[] = [];
    const on = (event: RunEvent) => void heard.push(event);
    await createAgent({ provider: scripted([]), store }).run("go", { conversation, on }).result;
    expect(heard).toMatchObject([
      { type: "run_started" },
      { type: "run_ended", status: "failed", error: { code: "busy" } },
    ]);
  });

  it("is over for a consumer that leaves at its last event, and the run is completed", async () => {
    const run = createAgent({ provider: scripted(["Done."]) }).run("go", { events: "all" });
    for await (const event of run) if (event.type === "run_ended") break;
    expect(await run.result).toMatchObject({ status: "completed", text: "Done." });
  });
});

describe("a listener", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("listener");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("listener");
      },
    ],
    ["never ends", () => new Promise<void>(() => {})],
  ])("that %s does not touch the run", async (_, listener) => {
    const agent = createAgent({ provider: scripted([block(["echo", { text: "a" }]), "Done."]), tools: [echo] });
    agent.on("*", listener);
    expect(await agent.run("go", { on: listener }).result).toMatchObject({ status: "completed", text: "Done." });
  });

  it("hears nothing more once it is removed, also if it was added twice", async () => {
    const agent = createAgent({ provider: scripted(["a", "b", "c"]) });
    const heard: string[] = [];
    const listener = () => void heard.push("heard");
    const [first, second] = [agent.on("run_ended", listener), agent.on("run_ended", listener)];
    await agent.ask("1");
    first();
    first();
    await agent.ask("2");
    second();
    await agent.ask("3");
    expect(heard).toHaveLength(3);
  });
});

describe("asking an agent", () => {
  it("returns the answer", async () => {
    expect(await createAgent({ provider: scripted(["Yes."]) }).ask("Well?")).toMatchObject({
      status: "completed",
      text: "Yes.",
    });
  });

  it("never rejects for a run that failed", async () => {
    const provider = scripted([{ error: new ProviderError("server", "down") }]);
    expect(await createAgent({ provider }).ask("Well?")).toMatchObject({
      status: "failed",
      error: { code: "provider" },
    });
  });

  it("takes a budget of its own for the run, beside the agent's", async () => {
    const provider = scripted([block(["echo", { text: "a" }]), block(["echo", { text: "b" }]), "Done."]);
    const agent = createAgent({ provider, tools: [echo], budget: { steps: 3, calls: 5 } });
    expect(await agent.ask("go", { budget: { steps: 1 } })).toMatchObject({
      stop: { reason: "steps_limit" },
      steps: 1,
    });
    expect(() => agent.run("go", { budget: { steps: 0 } })).toThrow("`steps` is 0");
  });
});
