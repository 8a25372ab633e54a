import { createAgent } from "@cogency/agent";
import { parentRun } from "@cogency/agent/child";
import { scripted } from "@cogency/provider";
import { defineTool } from "@cogency/tools";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { describe, expect, it } from "vitest";
import { metering } from "../test/support/metering.ts";
import { tracing } from "../test/support/tracing.ts";
import { measureAgent, traceAgent } from "./index.ts";

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const prices = { "scripted-1": { input: 0.01, output: 0 } };
const used = (chunks: string) => ({ chunks, usage });
const give = used(`<execute>${JSON.stringify([{ name: "give", args: {} }])}</execute>`);

/** Gives work to an agent; that one, too, to one below it. */
const tool = defineTool({
  name: "give",
  description: "Gives work.",
  input: { type: "object" },
  async execute(_, context) {
    const run = parentRun(context);
    const name = `helper-${run?.agents.length}`;
    const ending = await run?.run({ name, instructions: "You help.", tools: run.tools }, "Help.");
    return ending?.result.text ?? "";
  },
});

describe("agents that the calls of others have started", () => {
  it("stand in the trace with their tokens and their cost once, each below its call", async () => {
    const { tracer, spans } = tracing();
    const { meter, collect } = metering();
    // The outermost gives work, its agent does so, too, and each answers.
    const provider = scripted([give, give, used("C.<end>"), used("B.<end>"), used("A.<end>")]);
    const agent = createAgent({ provider, tools: [tool], prices });
    traceAgent(agent, { tracer });
    measureAgent(agent, { meter });
    const { cost = 0 } = await agent.ask("go");
    expect(cost).toBeGreaterThan(0);

    const named = (name: string) => spans().filter((span) => span.name === name);
    const inputOf = ({ attributes }: ReadableSpan) => attributes["gen_ai.usage.input_tokens"];
    expect(named("chat scripted-1").map(inputOf)).toEqual([100, 100, 100, 100, 100]);
    // The innermost ends first. A run counts those below it, as its budget does.
    const runs = named("invoke_agent");
    expect(runs.map(inputOf)).toEqual([100, 300, 500]);
    expect(runs.at(-1)?.attributes["cogency.cost"]).toBe(cost);
    const calls = named("execute_tool give").map((span) => span.spanContext().spanId);
    expect(runs.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([...calls, undefined]);

    const measured = await collect();
    const read = (name: string, type?: string) =>
      measured.get(name)?.points.filter(({ attributes }) => attributes["gen_ai.token.type"] === type)[0]?.value;
    const tokens = ["input", "output"].map((type) => read("gen_ai.client.token.usage", type));
    expect([...tokens, read("cogency.cost"), read("cogency.runs")]).toEqual([500, 50, cost, 3]);
  });
});
