import { parseResults, toMessages } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool, readResultTool, StopRun, type ToolHook } from "@cogency/tools";
import type { StopSignal } from "@cogency/tools/host";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { block, broken, collect, echo, types } from "../../test/support/fixtures.ts";
import { createAgent } from "../create-agent.ts";

const conversation = "c";

async function resultsIn(store: Store) {
  const events = await store.load({ conversation }, { types: ["result"] });
  return events.map((event) => (event.type === "result" ? parseResults(event.content) : null));
}

describe("a batch that ends the run", () => {
  const stopping = (signal: StopSignal) =>
    defineTool({
      name: "stop",
      description: "End the run.",
      input: z.object({}),
      execute() {
        throw new StopRun(signal);
      },
    });

  it.each([
    ["completed", "completed"],
    ["user_requested", "stopped"],
  ] as const)("by a tool with the reason %s is %s, and the signal is kept as it was given", async (reason, status) => {
    const store = memoryStore();
    const signal: StopSignal = { reason, message: "all done", context: { k: 1 }, source: "t" };
    const provider = scripted([`On it.${block(["echo", { text: "a" }], ["stop", {}], ["echo", { text: "b" }])}`]);
    const run = createAgent({ provider, tools: [echo, stopping(signal)], store }).run("go", { conversation });
    expect(await run.result).toMatchObject({ status, steps: 1, text: "On it.", stop: signal });
    expect((await resultsIn(store))[0]?.[1]).toEqual({
      tool: "stop",
      status: "success",
      content: "The run was stopped: all done",
    });
    provider.assertDone();
  });

  it("by a hook makes no further request; metadata that hooks changed reaches the next step", async () => {
    const seen: unknown[] = [];
    const hooks: ToolHook[] = [
      {
        name: "count",
        beforeToolUse: ({ state }) => void seen.push(state.metadata.n),
        afterToolUse: ({ execution }) => ({
          patch: ({ n }) => ({ n: Number(n) + 1 }),
          stop:
            execution.call.args.text === "last"
              ? { reason: "user_requested", message: "enough", context: {} }
              : undefined,
        }),
      },
    ];
    const provider = scripted([
      block(["echo", { text: "a" }], ["echo", { text: "b" }]),
      block(["echo", { text: "c" }], ["echo", { text: "last" }]),
    ]);
    const run = createAgent({ provider, tools: [echo], execution: { hooks } }).run("go", { metadata: { n: 0 } });
    expect(await run.result).toMatchObject({ status: "stopped", steps: 2, stop: { reason: "user_requested" } });
    expect(seen).toEqual([0, 0, 2, 2]);
    provider.assertDone();
  });

  it("with throwOnToolFailure fails the run, and keeps the step, its usage and all results", async () => {
    const store = memoryStore();
    const provider = scripted([
      {
        chunks: block(["broken", {}], ["echo", { text: "a" }]),
        usage: { input: 9, output: 9, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      },
    ]);
    const execution = { throwOnToolFailure: true };
    const run = createAgent({ provider, tools: [echo, broken], store, execution }).run("go", { conversation });
    const events: string[] = [];
    const failure = (async () => {
      for await (const { type } of run) events.push(type);
    })();
    await expect(failure).rejects.toMatchObject({ code: "tool", cause: { tool: "broken", code: "tool_failed" } });
    expect(events.slice(-2)).toEqual(["result", "metric"]);
    expect(await run.result).toMatchObject({ status: "failed", steps: 1, usage: { input: 9, output: 9 } });
    expect((await resultsIn(store))[0]?.map(({ status, content }) => [status, content])).toEqual([
      ["failure", "out of paper"],
      ["failure", "echo was skipped and did not run: an earlier call failed."],
    ]);
  });

  it("with a hook that breaks its contract fails the run under strict checks, and names the hook", async () => {
    const hooks = [{ name: "loose", beforeToolUse: () => ({ replace: { value: 1 } }) }] as unknown as ToolHook[];
    const provider = scripted([block(["echo", { text: "a" }])]);
    const run = createAgent({ provider, tools: [echo], execution: { hooks } }).run("go");
    const { status, error } = await run.result;
    expect(status).toBe("failed");
    expect(error).toMatchObject({ code: "hook", cause: { hook: "loose", field: "replace", trigger: "beforeToolUse" } });
  });

  it("does not end it because hooks blocked its calls: the model reads that", async () => {
    const hooks: ToolHook[] = [{ name: "guard", beforeToolUse: () => ({ block: "nope" }) }];
    const provider = scripted([block(["echo", { text: "a" }], ["echo", { text: "b" }]), "I may not."]);
    const execution = { hooks, stopOnToolBlock: true };
    const run = createAgent({ provider, tools: [echo], execution }).run("go");
    expect(await run.result).toMatchObject({ status: "completed", text: "I may not." });
    const told = JSON.stringify(provider.requests[1]?.messages.at(-1));
    expect(told).toContain("echo was blocked and did not run: nope");
    expect(told).toContain("echo was skipped and did not run: an earlier call was blocked.");
  });
});

describe("a failing tool", () => {
  it("is read by the model, which may recover: the run is completed, and the failure counted", async () => {
    const provider = scripted([block(["broken", {}]), "I could not print it."]);
    const run = createAgent({ provider, tools: [broken] }).run("print");
    expect(await run.result).toMatchObject({ status: "completed", text: "I could not print it.", toolErrors: 1 });
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain("out of paper");
  });
});

describe("a model that repeats itself", () => {
  const same = block(["echo", { text: "a" }]);

  it("is stopped when the same calls have given the same results three times in a row", async () => {
    const provider = scripted([same, same, same]);
    const run = createAgent({ provider, tools: [echo] }).run("go");
    expect(types(await collect(run))).toContain("error");
    expect(await run.result).toMatchObject({
      status: "stopped",
      steps: 3,
      stop: { reason: "retry_limit", context: { repeats: 3 } },
    });
    provider.assertDone();
  });

  it("continues if another batch came in between, or the results differ", async () => {
    let n = 0;
    const tick = defineTool({ name: "tick", description: "Count.", input: z.object({}), execute: () => ++n });
    const ticking = block(["tick", {}]);
    const provider = scripted([same, same, ticking, same, same, ticking, ticking, ticking, ticking, "done"]);
    expect(await createAgent({ provider, tools: [echo, tick] }).run("go").result).toMatchObject({ text: "done" });
  });

  it("continues if the budget allows more repeats", async () => {
    const provider = scripted([same, same, same, same, "done"]);
    const budget = { repeats: Number.POSITIVE_INFINITY };
    expect(await createAgent({ provider, tools: [echo], budget }).run("go").result).toMatchObject({ text: "done" });
  });
});

describe("a call that hooks change", () => {
  it("is shown as it ran; the log keeps what the model wrote, and a redacted result appears nowhere", async () => {
    const store = memoryStore();
    const got: unknown[] = [];
    const seen: unknown[] = [];
    const tell = defineTool({
      name: "tell",
      description: "Tell.",
      input: z.object({ x: z.number() }),
      execute({ x }) {
        got.push(x);
        return "secret";
      },
    });
    const hooks: ToolHook[] = [
      {
        name: "steer",
        beforeToolUse: () => ({ call: { args: { x: 99 } } }),
        afterToolUse: () => ({ replace: { value: "redacted" } }),
      },
    ];
    const provider = scripted([block(["tell", { x: 1 }]), "ok"]);
    const agent = createAgent({ provider, tools: [tell], store, execution: { hooks } });
    const on = (event: unknown) => void seen.push(event);
    const events = await collect(agent.run("go", { conversation, on }));
    const log = await store.load({ conversation });
    expect(got).toEqual([99]);
    expect(log.find(({ type }) => type === "call")).toMatchObject({ content: '{"name":"tell","args":{"x":1}}' });
    expect(JSON.stringify(toMessages(log, { form: "json" }))).toContain(String.raw`\"args\":{\"x\":99}`);
    expect(JSON.stringify(provider.requests[1]?.messages)).not.toContain(String.raw`{\"x\":1}`);
    expect(JSON.stringify(provider.requests[1])).toContain("redacted");
    expect(JSON.stringify([events, log, seen, provider.requests])).not.toContain("secret");
  });
});

describe("a run that is cancelled", () => {
  it("ends although the store has stalled", async () => {
    const inner = memoryStore();
    const user = new AbortController();
    const append: Store["append"] = (key, events, options) => {
      if (!events.some((event) => event.type === "record" && event.kind === "started")) {
        return inner.append(key, events, options);
      }
      user.abort();
      return new Promise<never>(() => {});
    };
    const provider = scripted([block(["echo", { text: "a" }])]);
    const agent = createAgent({ provider, tools: [echo], store: { ...inner, append } });
    const { status, error } = await agent.run("go", { signal: user.signal }).result;
    expect([status, error?.code]).toEqual(["stopped", "not_stored"]);
  });
});

describe("a large result", () => {
  it("is shown in part, stored whole, and readable to its end in a later step", async () => {
    const store = memoryStore();
    const text = `${"a".repeat(3000)}needle${"b".repeat(3000)}`;
    const print = defineTool({ name: "print", description: "Print.", input: z.object({}), execute: () => text });
    const provider = scripted([block(["print", {}]), "?"]);
    const tools = [print, readResultTool()];
    const options = { tools, store, execution: { maxResultBytes: 1000 } };
    await createAgent({ provider, ...options }).run("go", { conversation }).result;
    const [[shown] = []] = (await resultsIn(store)).map((results) => results ?? []);
    expect(String(shown?.content).length).toBeLessThanOrEqual(1000);
    expect(shown?.content).not.toContain("needle");

    const id = /"id":"(\w+)"/.exec(String(shown?.content))?.[1];
    const reading = scripted([block(["read_result", { id, from: 2990 }]), "found"]);
    await createAgent({ provider: reading, tools, store }).run("go on", { conversation }).result;
    expect(JSON.stringify((await resultsIn(store))[1])).toContain("needle");
  });
});

describe("a batch that is stored", () => {
  const gated = () => {
    const opened = Promise.withResolvers<void>();
    const tool = defineTool({
      name: "open",
      description: "Open the gate.",
      input: z.object({}),
      execute: () => opened.resolve(),
    });
    return { opened: opened.promise, tool };
  };

  it.each([
    ["token", "execute"],
    ["event", "call"],
    ["event", "execute"],
    [null, "call"],
  ] as const)("runs although the consumer does not come back for more (%s, at `%s`)", async (stream, type) => {
    const { opened, tool } = gated();
    const provider = scripted([block(["open", {}]), "ok"]);
    const seen: string[] = [];
    for await (const event of createAgent({ provider, tools: [tool] }).run("go", { stream })) {
      seen.push(event.type);
      if (event.type === type) await opened;
    }
    expect(seen).toEqual(["user", "call", "execute", "result", "metric", "respond", "metric"]);
  });

  it("does not run before the consumer has pulled the events before it", async () => {
    const store = memoryStore();
    const { opened, tool } = gated();
    let isOpen = false;
    opened.then(() => {
      isOpen = true;
    });
    const provider = scripted([["First.", block(["open", {}])], "ok"]);
    for await (const event of createAgent({ provider, tools: [tool], store }).run("go", { stream: "token" })) {
      if (event.type !== "respond" || event.content !== "First.") continue;
      await new Promise(setImmediate);
      expect(isOpen).toBe(false);
      break;
    }
    expect(isOpen).toBe(false);
  });

  it("is stored before its first call begins", async () => {
    const store = memoryStore();
    let kinds: string[] = [];
    const look = defineTool({
      name: "look",
      description: "Look at the log.",
      input: z.object({}),
      execute: async () => {
        kinds = (await store.load({ conversation })).map((event) =>
          event.type === "record" ? event.kind : event.type,
        );
      },
    });
    const provider = scripted([`So.${block(["look", {}])}`, "ok"]);
    for await (const _ of createAgent({ provider, tools: [look], store }).run("go", { conversation }));
    expect(kinds).toEqual(["origin", "user", "respond", "call", "started"]);
  });

  it("is cancelled when the consumer leaves, and leaves no unhandled rejection", async () => {
    const store = memoryStore();
    let isAborted = false;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const wait = defineTool({
      name: "wait",
      description: "Wait.",
      input: z.object({}),
      execute: (_, { signal }) =>
        new Promise((_, reject) => {
          begin();
          signal.addEventListener("abort", () => {
            isAborted = true;
            reject(signal.reason);
          });
        }),
    });
    const execution = { throwOnToolFailure: true };
    const provider = scripted([block(["wait", {}])]);
    const run = createAgent({ provider, tools: [wait], store, execution }).run("go", { conversation });
    for await (const event of run) {
      if (event.type !== "execute") continue;
      await begun;
      break;
    }
    expect(isAborted).toBe(true);
    expect(types(await store.load({ conversation })).slice(-2)).toEqual(["result", "cancelled"]);
    expect(await run.result).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
  });

  it("fails the run also if it failed before the consumer pulled again", async () => {
    const failed = Promise.withResolvers<void>();
    const inner = memoryStore();
    const append: Store["append"] = (key, events, options) => {
      const isEnd = events.some((event) => event.type === "record" && event.kind === "finished");
      if (!isEnd) return inner.append(key, events, options);
      failed.resolve();
      return Promise.reject(new Error("disk full"));
    };
    const provider = scripted([block(["echo", { text: "x" }])]);
    const run = createAgent({ provider, tools: [echo], store: { ...inner, append } }).run("go");
    const iterating = (async () => {
      for await (const event of run) {
        if (event.type !== "execute") continue;
        await failed.promise;
        await new Promise(setImmediate);
      }
    })();
    await expect(iterating).rejects.toMatchObject({ code: "store", message: "disk full" });
  });
});

describe("early start", () => {
  const head = '<execute>[{"name":"look","args":{}},';
  const setup = (tail: string) => {
    const order: string[] = [];
    const look = defineTool({
      name: "look",
      description: "Look.",
      input: z.object({}),
      annotations: { readOnlyHint: true },
      execute: () => void order.push("looked"),
    });
    const store = memoryStore();
    const provider = scripted([{ chunks: [head, tail], delay: 20 }, "ok"]);
    const agent = createAgent({ provider, tools: [look, echo], store, execution: { earlyStart: true } });
    return { order, store, run: agent.run("go", { conversation, stream: "token" }) };
  };

  it("runs a call that only reads while the model still writes its block", async () => {
    const { order, store, run } = setup('{"name":"echo","args":{"text":"a"}}]</execute>');
    for await (const { type } of run) order.push(type);
    expect(order.slice(0, 3).toSorted()).toEqual(["call", "looked", "user"]);
    expect(order.filter((what) => what === "looked")).toHaveLength(1);
    expect((await resultsIn(store))[0]).toHaveLength(2);
    const kinds = (await store.load({ conversation })).map((event) =>
      event.type === "record" ? event.kind : event.type,
    );
    expect(kinds.slice(0, 5)).toEqual(["origin", "user", "call", "call", "started"]);
  });

  it("is void with its block: nothing of it is in the log", async () => {
    const { order, store, run } = setup("oops");
    for await (const { type } of run) order.push(type);
    expect(order.slice(0, 3).toSorted()).toEqual(["call", "looked", "user"]);
    expect(order[3]).toBe("error");
    const log = await store.load({ conversation });
    expect(log.filter(({ type }) => type === "call" || type === "result")).toEqual([]);
    expect(log.filter((event) => event.type === "record" && event.kind === "started")).toEqual([]);
  });

  it("is aborted as soon as its block is refused, however slowly the consumer reads", async () => {
    let isAborted = false;
    const look = defineTool({
      name: "look",
      description: "Look.",
      input: z.object({}),
      annotations: { readOnlyHint: true },
      execute: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            isAborted = true;
            reject(signal.reason);
          });
        }),
    });
    const provider = scripted([{ chunks: [head, "oops"], delay: 20 }, "ok"]);
    const run = createAgent({ provider, tools: [look], execution: { earlyStart: true } }).run("go");
    const seen: boolean[] = [];
    for await (const { type } of run) if (type === "error") seen.push(isAborted);
    expect(seen).toEqual([true]);
  });
});
