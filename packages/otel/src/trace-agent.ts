import type { Agent } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import { checkOption, checkOptions, flag, having, type OptionTable, required, text } from "@cogency/protocol/options";
import type { Context, Tracer } from "@opentelemetry/api";
import { globalTracer } from "./library.ts";
import { RunTrace } from "./run-trace.ts";

export interface TraceOptions {
  /** Makes the spans. Defaults to a tracer of the global provider. */
  tracer?: Tracer | undefined;
  /** The name of the agent, for people: `gen_ai.agent.name`. */
  name?: string | undefined;
  /**
   * Whether spans hold content: prompts, thoughts, answers, arguments and results of calls, and the messages of errors. Defaults to false.
   */
  content?: boolean | undefined;
}

const table = {
  tracer: having("a tracer of OpenTelemetry", "startSpan"),
  name: text,
  content: flag,
} satisfies OptionTable<TraceOptions>;

/**
 * Makes a span of each run of the agent (`invoke_agent`), of each of its requests (`chat`) and of each call (`execute_tool`).
 *
 * The span of a run is a child of the span that is active where the run begins; without one, it begins a trace. A run that goes on with a
 * turn of another run, in whichever process, is a child of the run that began the turn.
 *
 * Nothing that the tracer or its exporter does has an effect on a run.
 *
 * @returns ends it; spans that are open then never end
 */
export function traceAgent(agent: Pick<Agent, "on" | "keepTrace">, options: TraceOptions = {}): () => void {
  checkOption("traceAgent", "agent", agent, required(having("the agent of createAgent", "on", "keepTrace")));
  checkOptions("traceAgent", options, table);
  const { tracer = globalTracer(), name, content = false } = options;
  const runs = new Map<string, RunTrace>();
  const take = (event: RunEvent, parent?: Context): void => {
    const { id } = event.run;
    if (event.type === "run_started") {
      const onSubagent = (inner: RunEvent, call: Context) => take(inner, call);
      // The name is that of the agent itself, not of those that its tools run.
      runs.set(id, new RunTrace(event, { tracer, content, parent, onSubagent, name: parent ? undefined : name }));
      return;
    }
    const run = runs.get(id);
    if (event.type === "run_ended") runs.delete(id);
    run?.take(event);
  };
  const ends = [agent.on("*", (event) => take(event)), agent.keepTrace(({ id }) => runs.get(id)?.traceparent)];
  return () => {
    for (const end of ends) end();
    runs.clear();
  };
}
