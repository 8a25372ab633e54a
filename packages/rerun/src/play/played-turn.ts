import { callOf, type Json, type JsonObject, type LogEvent, type ToolResult } from "@cogency/protocol";

/** What came of one turn of a play, or of the recorded one. What is absent did not happen. */
export interface PlayedTurn {
  readonly status: "completed" | "stopped" | "failed" | "waiting";
  /** The last text for the user. */
  readonly text?: string;
  /** The calls that the model wrote in this turn, and earlier ones that ended in it. */
  readonly calls?: readonly TurnCall[];
  /** What a person is asked and has not answered. */
  readonly questions?: readonly TurnQuestion[];
  /** Why the run ended, if not by a whole answer. */
  readonly stop?: string;
  /** The code of the error of a run that failed. */
  readonly error?: string;
  /** Of a turn that asked for an object. */
  readonly object?: unknown;
}

export interface TurnCall {
  readonly name: string;
  /** As the call ran. */
  readonly args: JsonObject;
  /** A person was asked whether it may run. */
  readonly asked?: true;
  readonly outcome: "success" | "failure" | "denied" | "waiting";
  /** Of a call that did not succeed; of each, where the tools really ran. */
  readonly result?: Json;
}

export interface TurnQuestion {
  /** The tool of the call. */
  readonly tool: string;
  readonly asks: "approval" | "answer";
  readonly message?: string;
}

/**
 * Reads the turn whose events are those of the log from `from` on, without status, stop and error.
 *
 * @param withResults whether the results of calls that succeeded are part of it
 */
export function turnIn(log: readonly LogEvent[], from: number, withResults: boolean): Omit<PlayedTurn, "status"> {
  const own = log.slice(from);
  const text = own.findLast((event) => event.type === "respond")?.content;
  const ended = new Set(own.flatMap((event) => (event.type === "result" ? (event.ids ?? []) : [])));
  const written = new Set(own.flatMap((event) => (event.type === "call" && event.id ? [event.id] : [])));
  const results = resultsOf(log);
  const calls = log.flatMap((event): TurnCall[] => {
    if (event.type !== "call" || event.id === undefined) return [];
    if (!written.has(event.id) && !ended.has(event.id)) return [];
    return [callIn(log, event.id, results.get(event.id), withResults)];
  });
  const questions = openQuestions(log).map(({ name, asks, message }) => ({
    tool: name,
    asks,
    ...(message !== undefined && { message }),
  }));
  return {
    ...(text !== undefined && { text }),
    ...(calls.length > 0 && { calls }),
    ...(questions.length > 0 && { questions }),
  };
}

function callIn(log: readonly LogEvent[], id: string, result: ToolResult | undefined, withResults: boolean): TurnCall {
  const { name, args } = ranCall(log, id);
  const outcome = result === undefined ? "waiting" : result.status === "success" ? "success" : failureOf(log, id);
  const isShown = result !== undefined && (withResults || outcome !== "success");
  const isAsked = (event: LogEvent) =>
    event.type === "record" &&
    event.kind === "question" &&
    event.data.call === id &&
    event.data.asks === "approval" &&
    !event.data.agents;
  return { name, args, ...(log.some(isAsked) && { asked: true }), outcome, ...(isShown && { result: result.content }) };
}

/** The call as it ran: a hook may have changed the one that the model wrote. */
export function ranCall(log: readonly LogEvent[], id: string): { name: string; args: JsonObject } {
  const started = log.findLast((event) => event.type === "record" && event.kind === "started" && event.data.id === id);
  const changed = started?.type === "record" && started.kind === "started" ? started.data.call : undefined;
  const written = log.findLast((event) => event.type === "call" && event.id === id);
  const { name, args } = callOf({ content: changed ?? (written?.type === "call" ? written.content : "") });
  return { name, args };
}

function failureOf(log: readonly LogEvent[], id: string): "failure" | "denied" {
  const isDenial = (event: LogEvent) =>
    event.type === "record" && event.kind === "approval" && event.data.id === id && event.data.status === "denied";
  return log.some(isDenial) ? "denied" : "failure";
}

/** The results of a log by the ids of their calls. */
export function resultsOf(log: readonly LogEvent[]): Map<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const event of log) {
    if (event.type === "result") {
      const content = JSON.parse(event.content) as ToolResult[];
      for (const [index, id] of (event.ids ?? []).entries()) {
        const result = content[index];
        if (result && !results.has(id)) results.set(id, result);
      }
    }
    if (event.type === "record" && event.kind === "finished") results.set(event.data.id, event.data.result);
  }
  return results;
}

type Question = Extract<LogEvent, { type: "record"; kind: "question" }>["data"];

/** The questions of calls of the log's own agent that nobody has answered, and whose calls have no result. */
export function openQuestions(log: readonly LogEvent[]): Question[] {
  const open = new Map<string, Question>();
  for (const event of log) {
    if (event.type === "result") {
      for (const [id, { call }] of open) if (event.ids?.includes(call)) open.delete(id);
    }
    if (event.type !== "record") continue;
    if (event.kind === "question" && !event.data.agents) {
      for (const [id, { call }] of open) if (call === event.data.call) open.delete(id);
      open.set(event.data.id, event.data);
    } else if (event.kind === "approval" && event.data.question !== undefined) open.delete(event.data.question);
    else if (event.kind === "answer") open.delete(event.data.question);
  }
  return [...open.values()];
}
