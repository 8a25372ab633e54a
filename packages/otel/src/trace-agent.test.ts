import { createAgent } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import { ProviderError, scripted, withRetry } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AlwaysOffSampler,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calling, look } from "../test/support/shop.ts";
import { tracing } from "../test/support/tracing.ts";
import { traceAgent } from "./index.ts";

const manager = new AsyncLocalStorageContextManager();
beforeAll(() => context.setGlobalContextManager(manager.enable()));
afterAll(() => context.disable());

const idOf = (span: ReadableSpan) => span.spanContext().spanId;
const traceOf = (span: ReadableSpan) => span.spanContext().traceId;

describe("traceAgent", () => {
  it("makes one trace of a run, in which requests and parallel calls are children of the run", async () => {
    const { tracer, spans, span } = tracing();
    let arrived = 0;
    let open = () => {};
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    const meet = defineTool({
      name: "meet",
      description: "Waits for the other.",
      input: { type: "object" },
      async execute() {
        if (++arrived === 2) open();
        await both;
        return "met";
      },
    });
    const agent = createAgent({
      provider: scripted([calling({ name: "meet", args: { a: 1 } }, { name: "meet", args: { a: 2 } }), "Done.<end>"]),
      tools: [meet],
    });
    traceAgent(agent, { tracer });
    await agent.ask("go");
    const run = span("invoke_agent");
    expect(run.parentSpanContext).toBeUndefined();
    const others = spans().filter((one) => one !== run);
    expect(others.map(({ name }) => name).sort()).toEqual([
      "chat scripted-1",
      "chat scripted-1",
      "execute_tool meet",
      "execute_tool meet",
    ]);
    for (const one of others) {
      expect(one.parentSpanContext?.spanId).toBe(idOf(run));
      expect(traceOf(one)).toBe(traceOf(run));
    }
    await agent.ask("go on");
    expect(new Set(spans().map(traceOf)).size).toBe(2);
  });

  it("makes the run a child of the span that is active where it begins", async () => {
    const { tracer, span } = tracing();
    const agent = createAgent({ provider: scripted(["Done.<end>"]) });
    traceAgent(agent, { tracer });
    const outer = tracer.startSpan("GET /");
    await context.with(trace.setSpan(context.active(), outer), () => agent.ask("go"));
    expect(span("invoke_agent").parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
  });

  it("links the span that is active where a run goes on with a turn, which is in another trace", async () => {
    const { tracer, span } = tracing();
    const store = memoryStore();
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    await store.append({ conversation: "c" }, [
      { type: "user", content: "go", timestamp: 1 },
      { type: "record", kind: "trace", data: { traceparent: `00-${traceId}-b7ad6b7169203331-01` }, timestamp: 1 },
    ]);
    const agent = createAgent({ provider: scripted(["Done.<end>"]), store });
    traceAgent(agent, { tracer });
    const outer = tracer.startSpan("POST /recover");
    const recover = () => agent.recover({ conversation: "c" }).result;
    await context.with(trace.setSpan(context.active(), outer), recover);
    const run = span("invoke_agent");
    expect(run.parentSpanContext).toMatchObject({ traceId, spanId: "b7ad6b7169203331", isRemote: true });
    expect(run.links.map((link) => link.context.spanId)).toEqual([outer.spanContext().spanId]);
  });

  it("notes retries on the request that came to an end, which is no error", async () => {
    const { tracer, span } = tracing();
    const busy = { error: new ProviderError("rate_limit", "Too many requests.") };
    const agent = createAgent({ provider: withRetry(scripted([busy, busy, "Done.<end>"]), { baseDelay: 1 }) });
    traceAgent(agent, { tracer });
    await agent.ask("go");
    const { attributes, events, parentSpanContext } = span("chat scripted-1");
    expect(attributes["error.type"]).toBeUndefined();
    expect(parentSpanContext?.spanId).toBe(idOf(span("invoke_agent")));
    expect(events.map(({ name, attributes: at }) => [name, at?.["error.type"], at?.["cogency.retry.attempt"]])).toEqual(
      [
        ["cogency.retry", "rate_limit", 1],
        ["cogency.retry", "rate_limit", 2],
      ],
    );
  });

  it("makes the run of a subagent a child of the call that started it", async () => {
    const { tracer, spans, span } = tracing();
    const inner: RunEvent[] = [];
    const sub = createAgent({ provider: scripted(["A door.<end>"]) });
    await sub.run("look", { on: (event) => inner.push(event) }).result;
    // What a runtime with subagents tells: the events of the inner run between the beginning and the end of the call.
    const outer: RunEvent[] = [];
    const main = createAgent({ provider: scripted([calling({ name: "look" }), "Done.<end>"]), tools: [look] });
    await main.run("go", { on: (event) => outer.push(event) }).result;
    const told = outer.flatMap((event): RunEvent[] => {
      const { run, timestamp } = event;
      if (event.type !== "tool_started") return [event];
      return [event, ...inner.map((one): RunEvent => ({ type: "subagent", id: event.id, event: one, timestamp, run }))];
    });
    let hear: (event: RunEvent) => void = () => {};
    const listened = {
      on: (_: string, listener: (event: never) => void) => {
        hear = listener as typeof hear;
        return () => {};
      },
      keepTrace: () => () => {},
    };
    traceAgent(listened, { tracer, name: "main" });
    for (const event of told) hear(event);
    const call = span("execute_tool look");
    const subrun = span("invoke_agent");
    expect(subrun.parentSpanContext?.spanId).toBe(idOf(call));
    expect(call.parentSpanContext?.spanId).toBe(idOf(span("invoke_agent main")));
    const chats = spans().filter(({ name }) => name === "chat scripted-1");
    expect(chats.filter(({ parentSpanContext }) => parentSpanContext?.spanId === idOf(subrun))).toHaveLength(1);
    expect(new Set(spans().map(traceOf)).size).toBe(1);
  });

  it("ends the span of a call that waits for a person, and makes another when it goes on", async () => {
    const { tracer, spans, span } = tracing();
    const ask = defineTool({
      name: "ask",
      description: "Asks.",
      input: { type: "object" },
      asks: true,
      execute: async (_, { ask }) => String(await ask({ message: "How many?" })),
    });
    const store = memoryStore();
    const agent = createAgent({
      provider: scripted([calling({ name: "ask" }), "Done.<end>"]),
      tools: [ask],
      store,
      whenUnanswered: "wait",
    });
    traceAgent(agent, { tracer });
    const { waiting = [], status } = await agent.ask("go", { conversation: "c" });
    expect(status).toBe("waiting");
    expect(span("execute_tool ask").attributes["cogency.tool.outcome"]).toBe("open");
    for (const { question } of waiting)
      await agent.send({ conversation: "c" }, { kind: "answer", question, content: "4" });
    await agent.recover({ conversation: "c" }).result;
    const calls = spans().filter(({ name }) => name === "execute_tool ask");
    expect(calls.map(({ attributes }) => attributes["cogency.tool.outcome"])).toEqual(["open", "success"]);
    expect(new Set(spans().map(traceOf)).size).toBe(1);
  });

  it("makes no span of a run that is not sampled, whose trace goes on all the same", async () => {
    const { tracer, spans } = tracing(new AlwaysOffSampler());
    const store = memoryStore();
    const agent = createAgent({ provider: scripted(["Done.<end>"]), store });
    traceAgent(agent, { tracer });
    await agent.ask("go", { conversation: "c" });
    expect(spans()).toEqual([]);
    const kept = (await store.load({ conversation: "c" })).find(
      (event) => event.type === "record" && event.kind === "trace",
    );
    expect(kept).toMatchObject({ data: { traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/) } });
  });

  it("does nothing any more once it is ended", async () => {
    const { tracer, spans } = tracing();
    const store = memoryStore();
    const agent = createAgent({ provider: scripted(["Done.<end>"]), store });
    traceAgent(agent, { tracer })();
    await agent.ask("go", { conversation: "c" });
    expect(spans()).toEqual([]);
    expect(JSON.stringify(await store.load({ conversation: "c" }))).not.toContain("traceparent");
  });
});

describe("a run whose exporter", () => {
  const throwing: SpanExporter = {
    export: () => {
      throw new Error("no collector");
    },
    shutdown: async () => {},
  };
  const hanging: SpanExporter = { export: () => {}, shutdown: () => new Promise(() => {}) };
  const processor: SpanProcessor = {
    onStart: () => {},
    onEnd: () => {
      throw new Error("no processor");
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const failingTracer = () => {
    throw new Error("no tracer");
  };

  it.each([
    [
      "throws",
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: throwing })] }).getTracer("test"),
    ],
    [
      "hangs",
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: hanging })] }).getTracer("test"),
    ],
    ["is behind a processor that throws", new TracerProvider({ spanProcessors: [processor] }).getTracer("test")],
    ["is behind a tracer that throws", { startSpan: failingTracer, startActiveSpan: failingTracer }],
  ])("%s goes on as without one", async (_, tracer) => {
    const run = async (isTraced: boolean) => {
      const agent = createAgent({ provider: scripted([calling({ name: "look" }), "A door.<end>"]), tools: [look] });
      if (isTraced) traceAgent(agent, { tracer, content: true });
      const types: string[] = [];
      const begun = agent.run("go", { events: "all" });
      for await (const { type } of begun) types.push(type);
      const { status, text, steps } = await begun.result;
      return { types, status, text, steps };
    };
    expect(await run(true)).toEqual(await run(false));
  });
});
