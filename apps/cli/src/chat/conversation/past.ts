import { callOf, type LogEvent, parseResults, type RunEvent, type ToolCall, type ToolResult } from "@cogency/protocol";

/** What a log says about a conversation that goes on. */
export interface Past {
  /** Turns that are not in `events`. */
  earlier: number;
  /** The last turns. */
  events: readonly LogEvent[];
  /** What the last run left open. */
  open: OpenEnd | undefined;
}

/** Why a run can go on: `questions` wait for an answer, it was cancelled, or it broke off. */
export type OpenEnd = { why: "questions"; count: number } | { why: "cancelled" } | { why: "broken_off" };

/** @param most turns that are shown */
export function pastOf(log: readonly LogEvent[], most: number): Past {
  const turns = log.flatMap((event, at) => (isPrompt(event) ? [at] : []));
  const first = turns.at(-most) ?? turns[0] ?? 0;
  return { earlier: Math.max(0, turns.length - most), events: log.slice(first), open: openEnd(log) };
}

/** Whether these are words of a person, or of somebody that no person vouched for. */
export function isPrompt(event: LogEvent): event is LogEvent & { type: "user" } {
  return event.type === "user" && (event.origin === undefined || event.origin === "untrusted");
}

function openEnd(log: readonly LogEvent[]): OpenEnd | undefined {
  const last = log.findLast((event) => event.type !== "record" || event.kind === "run");
  if (last === undefined || last.type === "record") return undefined;
  if (last.type === "cancelled") return { why: "cancelled" };
  const count = openQuestions(log).size;
  return count > 0 ? { why: "questions", count } : { why: "broken_off" };
}

function openQuestions(log: readonly LogEvent[]): Set<string> {
  const open = new Set<string>();
  for (const event of log) {
    if (event.type === "result") open.clear();
    if (event.type !== "record") continue;
    if (event.kind === "question") open.add(event.data.id);
    else if (event.kind === "approval" && event.data.question !== undefined) open.delete(event.data.question);
    else if (event.kind === "answer") open.delete(event.data.question);
  }
  return open;
}

/**
 * The events of a log as a run tells them: texts, thoughts, and calls with their results; last the calls that a run left open when it broke
 * off, with what is known of each.
 */
export function pastEvents(log: readonly LogEvent[], conversation: string): RunEvent[] {
  const run = { id: "", conversation, step: 0, order: 0 };
  const calls: (ToolCall & { id: string })[] = [];
  const started = new Set<string>();
  const finished = new Map<string, ToolResult>();
  const events = log.flatMap((event): RunEvent[] => {
    switch (event.type) {
      case "record":
        if (event.kind === "started") started.add(event.data.id);
        else if (event.kind === "not_done") started.delete(event.data.id);
        else if (event.kind === "finished") finished.set(event.data.id, event.data.result);
        return [];
      case "respond":
      case "think":
      case "cancelled":
        return [{ ...event, run }];
      case "call":
        calls.push({ ...readable(event.content), id: event.id ?? "" });
        return [];
      case "result": {
        const open = calls.splice(0);
        const results = parseResults(event.content) ?? [];
        return results.map((result, at): RunEvent => {
          const { name = result.tool, args = {}, id = "" } = open[at] ?? {};
          const outcome = result.status === "success" ? "success" : "failure";
          const { timestamp } = event;
          return { type: "tool_ended", id, name, args, started: false, outcome, result, duration: 0, timestamp, run };
        });
      }
      default:
        return [];
    }
  });
  const { timestamp = 0 } = log.at(-1) ?? {};
  const open = calls.map(({ id, name, args }): RunEvent => {
    const result = finished.get(id) ?? brokenOff(name, started.has(id));
    const outcome = result.status === "success" ? "success" : "failure";
    return { type: "tool_ended", id, name, args, started: false, outcome, result, duration: 0, timestamp, run };
  });
  return [...events, ...open];
}

/** What a person reads of a call without an end. */
function brokenOff(tool: string, hasBegun: boolean): ToolResult {
  const content = hasBegun ? "broken off: it may have taken effect" : "broken off before it had begun";
  return { tool, status: "failure", content };
}

/** A driver of another author may have stored a call that cannot be read. */
function readable(content: string): ToolCall {
  try {
    return callOf({ content });
  } catch {
    return { name: "?", args: { text: content } };
  }
}
