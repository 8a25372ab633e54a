import type { Agent } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import { checkOption, checkOptions, having, type OptionTable, required } from "@cogency/protocol/options";
import type { Attributes, Meter } from "@opentelemetry/api";
import { inputTokens, modelAttributes } from "./attributes.ts";
import { globalMeter, ofMeter } from "./library.ts";

export interface AgentMeasureOptions {
  /** Makes the instruments. Defaults to a meter of the global provider. */
  meter?: Meter | undefined;
}

/**
 * Measures the requests, calls and runs of the agent. No attribute holds content, or the name of a conversation or a user.
 *
 * @returns ends it
 */
export function measureAgent(agent: Pick<Agent, "on">, options: AgentMeasureOptions = {}): () => void {
  checkOption("measureAgent", "agent", agent, required(having("the agent of createAgent", "on")));
  checkOptions("measureAgent", options, { meter: ofMeter } satisfies OptionTable<AgentMeasureOptions>);
  const { meter = globalMeter() } = options;
  const instruments = instrumentsOf(meter);
  /** What is known of the request of each run. */
  const requests = new Map<string, Attributes>();
  const take = (event: RunEvent): void => {
    const { id } = event.run;
    const request = requests.get(id);
    switch (event.type) {
      case "run_started":
        requests.set(id, asChat(event));
        return;
      case "request_started":
        requests.set(id, asChat(event));
        return;
      case "request_retried":
        instruments.retries.add(1, { ...request, "error.type": event.code });
        return;
      case "request_ended": {
        const { usage, duration, error } = event;
        instruments.duration.record(duration, { ...request, ...(error && { "error.type": error.code }) });
        // Only what the provider has counted; a request that is refused uses nothing.
        if (!usage || usage.estimated || inputTokens(usage) + usage.output === 0) return;
        instruments.tokens.record(inputTokens(usage), { ...request, "gen_ai.token.type": "input" });
        instruments.tokens.record(usage.output, { ...request, "gen_ai.token.type": "output" });
        return;
      }
      case "metric":
        if (event.step.cost !== undefined) instruments.cost.add(event.step.cost, request);
        return;
      case "tool_ended": {
        // The model may call a tool that does not exist, by any name.
        const name = event.started ? { "gen_ai.tool.name": event.name } : {};
        instruments.calls.add(1, { ...name, "cogency.tool.outcome": event.outcome });
        return;
      }
      case "subagent":
        take(event.event);
        return;
      case "run_ended": {
        const { status, error } = event;
        requests.delete(id);
        instruments.runs.add(1, { "cogency.run.status": status, ...(error && { "error.type": error.code }) });
      }
    }
  };
  const end = agent.on("*", take);
  return () => {
    end();
    requests.clear();
  };
}

function asChat(asked: { provider: string; model: string }): Attributes {
  return { "gen_ai.operation.name": "chat", ...modelAttributes(asked) };
}

function instrumentsOf(meter: Meter) {
  return {
    duration: meter.createHistogram("gen_ai.client.operation.duration", {
      description: "Duration of requests to models",
      unit: "s",
      advice: { explicitBucketBoundaries: Array.from({ length: 14 }, (_, power) => 2 ** power / 100) },
    }),
    tokens: meter.createHistogram("gen_ai.client.token.usage", {
      description: "Tokens of requests to models, and of their answers",
      unit: "{token}",
      advice: { explicitBucketBoundaries: Array.from({ length: 14 }, (_, power) => 4 ** power) },
    }),
    retries: meter.createCounter("cogency.request.retries", {
      description: "Requests that failed and were made again",
      unit: "{retry}",
    }),
    cost: meter.createCounter("cogency.cost", {
      description: "Cost of requests, in the currency of the prices that the agent has",
      unit: "{currency}",
    }),
    calls: meter.createCounter("cogency.tool.calls", { description: "Calls that ended, by outcome", unit: "{call}" }),
    runs: meter.createCounter("cogency.runs", { description: "Runs that ended, by status", unit: "{run}" }),
  };
}
