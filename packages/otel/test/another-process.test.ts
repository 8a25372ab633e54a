import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { describe, expect, it } from "vitest";
import { traceAgent } from "../src/index.ts";
import { calling } from "./support/shop.ts";
import { tracing } from "./support/tracing.ts";

const keyRing = createKeyRing(["a ring that several machines have in common"]);
const here = { conversation: "c" };
const traceOf = (span: ReadableSpan) => span.spanContext().traceId;

describe("a run that another process goes on with", () => {
  it.each(["run", "send"] as const)("goes on with its trace, when the turn began with %s", async (beginning) => {
    const store = memoryStore();
    const handOver = new AbortController();
    const leave = defineTool({
      name: "leave",
      description: "The process is told to end meanwhile.",
      input: { type: "object" },
      execute() {
        handOver.abort();
        return "left";
      },
    });
    // Two agents with a tracer each, as in two processes. Only the store is shared.
    const [first, second] = [tracing(), tracing()];
    const one = createAgent({ provider: scripted([calling({ name: "leave" })]), store, keyRing, tools: [leave] });
    const other = createAgent({ provider: scripted(["Done.<end>", "Again.<end>"]), store, keyRing, tools: [leave] });
    traceAgent(one, { tracer: first.tracer });
    traceAgent(other, { tracer: second.tracer });

    const { signal } = handOver;
    if (beginning === "run") await one.ask("go", { ...here, handOver: signal });
    else {
      await one.send(here, { kind: "prompt", content: "go" });
      await one.recover({ ...here, handOver: signal }).result;
    }
    expect((await other.recover(here).result).text).toBe("Done.");

    const begun = first.span("invoke_agent");
    const continued = second.span("invoke_agent");
    expect(continued.parentSpanContext).toMatchObject({ spanId: begun.spanContext().spanId, isRemote: true });
    expect(second.spans().map(({ name }) => name)).toEqual(["chat scripted-1", "invoke_agent"]);
    for (const span of [...first.spans(), ...second.spans()]) expect(traceOf(span)).toBe(traceOf(begun));

    // The turn has ended, so the next one has a trace of its own.
    await other.ask("again", here);
    const last = second.spans().at(-1);
    expect(last?.parentSpanContext).toBeUndefined();
    expect(last && traceOf(last)).not.toBe(traceOf(begun));
    const log = await store.load(here);
    expect(log.filter((event) => event.type === "record" && event.kind === "trace")).toHaveLength(2);
  });

  it("begins a trace of its own where the log names none, whatever stands there", async () => {
    const { tracer, span } = tracing();
    const store = memoryStore();
    await store.append(here, [
      { type: "user", content: "go", timestamp: 1 },
      {
        type: "record",
        kind: "trace",
        data: { traceparent: `00-${"0".repeat(32)}-${"0".repeat(16)}-01` },
        timestamp: 1,
      },
    ]);
    const agent = createAgent({ provider: scripted(["Done.<end>"]), store });
    traceAgent(agent, { tracer });
    expect((await agent.recover(here).result).status).toBe("completed");
    expect(span("invoke_agent").parentSpanContext).toBeUndefined();
  });
});
