import type { CallEvent, LogEvent, RecordEvent } from "./events.ts";
import { THINK, THINK_CLOSE } from "./markers.ts";
import type { ModelMessage } from "./message.ts";
import { callOf, formatCalls, formatResults, formatThink, parseResults } from "./serialize.ts";
import type { ToolCall, ToolResult } from "./tool.ts";

/** What a request says in place of the person when the log ends with the model's own words. */
export const CONTINUE = "Continue.";

const interrupted = "interrupted: no result was recorded";

/**
 * Assemble the messages of a model request from the log (protocol.md §4).
 *
 * INVARIANT: assembling twice gives the same messages, and a log that grew by whole steps gives a list that begins
 * with the old one. (A runtime that goes on after the model's own words appends a `user` event first.)
 * INVARIANT: any prefix of a log gives a valid request: every call is answered, and the last message is not the
 * assistant's. What {@link missingResults} would append is assembled as if it had been.
 */
export function toMessages(log: readonly LogEvent[], _options: { form: "json" }): ModelMessage[] {
  const messages: ModelMessage[] = [];
  const assistant = new AssistantText();
  const finished = new Map<string, ToolResult>();

  const closeTurn = () => {
    const text = assistant.take();
    if (text !== "") messages.push({ role: "assistant", content: text.toWellFormed() });
  };
  /** Close the assistant's message; calls that nothing answered get their failures. */
  const answerOpenCalls = () => {
    const calls = assistant.calls;
    closeTurn();
    if (calls.length > 0) messages.push({ role: "user", content: formatResults(resultsFor(calls, finished)) });
  };

  for (const event of log) {
    switch (event.type) {
      case "think":
      case "respond":
        assistant.add(event);
        break;
      case "call":
        assistant.call(event);
        break;
      case "result": {
        // A result that no call asked for is skipped.
        if (assistant.calls.length === 0) break;
        const { calls } = assistant;
        closeTurn();
        messages.push({ role: "user", content: formatResults(storedResults(calls, event.content)) });
        break;
      }
      case "user":
        answerOpenCalls();
        messages.push({ role: "user", content: event.content.toWellFormed() });
        break;
      case "record":
        if (event.kind === "finished") remember(event, finished);
        if (event.kind !== "rejected") break;
        answerOpenCalls();
        messages.push({ role: "user", content: formatResults([rejection(event)]) });
        break;
      case "cancelled":
        answerOpenCalls();
        break;
    }
  }
  answerOpenCalls();
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: CONTINUE });
  return messages;
}

/**
 * The outcomes that the log still owes to the calls at its end, in call order: what a `finished` record says, a
 * failure for the rest. Empty when nothing is owed. A runtime appends them as one `result` before it uses the log.
 */
export function missingResults(log: readonly LogEvent[]): ToolResult[] {
  let calls: ToolCall[] = [];
  const finished = new Map<string, ToolResult>();
  for (const event of log) {
    if (event.type === "call") calls.push(storedCall(event));
    else if (event.type === "record" && event.kind === "finished") remember(event, finished);
    else if (endsBatch(event)) calls = [];
  }
  return resultsFor(calls, finished);
}

function endsBatch(event: LogEvent): boolean {
  return event.type === "record" ? event.kind === "rejected" : event.type !== "think" && event.type !== "respond";
}

/** The text of one assistant message while its events come in. The calls stand last. */
class AssistantText {
  calls: ToolCall[] = [];
  #parts: string[] = [];
  #last: "think" | "respond" | "" = "";
  #thought = false;

  add(event: { type: "think" | "respond"; content: string }): void {
    if (event.type === "think") {
      this.#thought = true;
      this.#parts.push(formatThink(event.content));
    } else {
      // An empty think block ends the unit before it, and keeps chat templates that cut history at the last
      // `</think>` from cutting here.
      if (this.#last === "respond" || (!this.#thought && event.content.includes(THINK_CLOSE))) {
        this.#parts.push(THINK + THINK_CLOSE);
      }
      this.#parts.push(event.content);
    }
    this.#last = event.type;
  }

  call(event: CallEvent): void {
    this.calls.push(storedCall(event));
  }

  /** The finished text; a fresh message begins. */
  take(): string {
    if (this.calls.length > 0) this.#parts.push(formatCalls(this.calls));
    const text = this.#parts.join("\n\n");
    this.calls = [];
    this.#parts = [];
    this.#last = "";
    this.#thought = false;
    return text;
  }
}

/** A damaged log must not end a conversation: what cannot be read is told as such. */
function storedCall(event: CallEvent): ToolCall {
  try {
    return callOf(event);
  } catch {
    return { name: "unreadable", args: {} };
  }
}

/** One result per call, also if the log holds fewer or more. */
function storedResults(calls: readonly ToolCall[], content: string): ToolResult[] {
  const results = parseResults(content);
  const otherwise = results ? interrupted : "the stored results could not be read";
  return calls.map(({ name }, index) => results?.[index] ?? { tool: name, status: "failure", content: otherwise });
}

function rejection({ data }: RecordEvent & { kind: "rejected" }): ToolResult {
  return { tool: "execute", status: "failure", content: data?.message ?? "the block was refused" };
}

function remember({ data }: RecordEvent & { kind: "finished" }, finished: Map<string, ToolResult>): void {
  if (data?.result) finished.set(data.id, data.result);
}

function resultsFor(calls: readonly ToolCall[], finished: ReadonlyMap<string, ToolResult>): ToolResult[] {
  return calls.map(({ name, id }) => finished.get(id ?? "") ?? { tool: name, status: "failure", content: interrupted });
}
