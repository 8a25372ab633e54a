import type { LogEvent, RecordEvent, ToolSpec } from "@cogency/protocol";
import { checkedClientTools } from "@cogency/tools/host";
import type { RunContext } from "../run-context.ts";
import { RunTools } from "./run-tools.ts";

/** The tools that the client of a conversation brings, by its log. One that is malformed is left out: a log from elsewhere may hold anything. */
function clientToolsIn(log: readonly LogEvent[]): readonly ToolSpec[] {
  const last = log.findLast(isRecord);
  const { tools } = (last?.data ?? {}) as { tools?: unknown };
  const read = new Map<string, ToolSpec>();
  for (const one of Array.isArray(tools) ? tools : []) {
    const spec = readable(one);
    if (spec && !read.has(spec.name)) read.set(spec.name, spec);
  }
  return [...read.values()];
}

/**
 * The record of the tools that a client brings with its words; none where the log says the same already. A prompt without tools takes
 * earlier ones back.
 */
export function clientToolRecords(
  { clientTools }: Pick<RunContext, "clientTools">,
  tools: readonly ToolSpec[],
  timestamp: number,
): RecordEvent[] {
  if (JSON.stringify(tools) === JSON.stringify(clientTools)) return [];
  return [{ type: "record", kind: "client_tools", data: { tools }, timestamp }];
}

/** Lets the next step have the tools that the log names, if these events of it do. */
export async function noteClientTools(context: RunContext, events: readonly LogEvent[]): Promise<void> {
  if (events.some(isRecord)) useClientTools(context, await context.log.load());
}

/** Lets the next step have the tools that the log names. */
export function useClientTools(context: RunContext, log: readonly LogEvent[]): void {
  context.clientTools = clientToolsIn(log);
  if (context.clientTools.length > 0) context.tools ??= new RunTools(context);
}

function isRecord(event: LogEvent): event is RecordEvent & { kind: "client_tools" } {
  return event.type === "record" && event.kind === "client_tools";
}

function readable(tool: unknown): ToolSpec | undefined {
  try {
    return checkedClientTools([tool])[0];
  } catch {
    return undefined;
  }
}
