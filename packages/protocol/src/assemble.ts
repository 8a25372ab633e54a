import type { CallEvent, LogEvent } from "./events.ts";
import type { FormWriter, StoredCall, Turn } from "./form-writer.ts";
import type { MessageForm, ModelMessage } from "./message.ts";
import { nativeForm } from "./native-form.ts";
import { reactForm } from "./react-form.ts";
import { callOf, callText, parseResults } from "./serialize.ts";
import { textForm } from "./text-form.ts";
import type { ToolCall, ToolResult } from "./tool.ts";

/** What a request says in place of the person when the log ends with the model's own words. */
export const CONTINUE = "Continue.";

const interrupted = "interrupted: no result was recorded";

const writers: Record<MessageForm, () => FormWriter> = {
  json: () => textForm("json"),
  xml: () => textForm("xml"),
  native: nativeForm,
  react: () => reactForm,
};

/**
 * Assemble the messages of a model request from the log (protocol.md §4), in the text protocol's JSON or XML dialect,
 * with native tool calls, or as thought, action and observation. Every form takes every log, whichever driver wrote it.
 *
 * A `native` record belongs to the message of the step in which it stands: anywhere after the results or the words of
 * somebody else that the step follows, and before its own results. If there are several, the last one counts. It is left
 * out when the step's block was refused, and makes no message alone.
 *
 * INVARIANT: assembling twice gives the same messages, and a log that grew by whole steps gives a list that begins
 * with the old one. (A runtime that goes on after the model's own words appends a `user` event first.)
 * INVARIANT: any prefix of a log gives a valid request: every call is answered directly, no result is without a call, no
 * assistant message is empty, and the last message is not the assistant's. What {@link missingResults} would append is
 * assembled as if it had been.
 */
export function toMessages(log: readonly LogEvent[], { form }: { form: MessageForm }): ModelMessage[] {
  const { messages, endTurn } = replay(log, writers[form]());
  endTurn();
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: CONTINUE });
  return messages;
}

/**
 * The outcomes that the log still owes to the calls at its end, in call order: what a `finished` record says, a
 * failure for the rest. Empty when nothing is owed. A runtime appends them as one `result` before it uses the log.
 */
export function missingResults(log: readonly LogEvent[]): ToolResult[] {
  return replay(log, { said: () => ({ role: "assistant", content: "" }), answers: () => [] }).owed();
}

/** Tells the log in one form, all but the turn that is open at its end. */
function replay(log: readonly LogEvent[], writer: FormWriter) {
  const messages: ModelMessage[] = [];
  const finished = new Map<string, ToolResult>();
  let turn: Turn = { units: [], calls: [] };

  /** What the calls of the open turn are known to have given. */
  const owed = () => turn.calls.map(({ name, id = "" }) => finished.get(id) ?? failure(name, interrupted));

  /** End the assistant's message, and answer its calls. */
  const endTurn = (results = owed()) => {
    const message = writer.said(turn);
    turn = { units: [], calls: [] };
    message.content = message.content.toWellFormed();
    if (message.content !== "" || message.calls) messages.push(message);
    if (results.length > 0) messages.push(...writer.answers(results, message));
  };

  for (const event of log) {
    switch (event.type) {
      case "think":
      case "respond":
        turn.units.push(event);
        break;
      case "call":
        turn.calls.push(storedCall(event));
        break;
      case "result":
        // A result that no call asked for is skipped.
        if (turn.calls.length > 0) endTurn(storedResults(turn.calls, event.content));
        break;
      case "cancelled":
        if (turn.calls.length > 0) endTurn();
        break;
      case "user":
        endTurn();
        messages.push({ role: "user", content: event.content.toWellFormed() });
        break;
      case "record":
        if (event.kind === "finished" && event.data?.result) finished.set(event.data.id, event.data.result);
        else if (event.kind === "started") turn.calls = turn.calls.map((call) => asRun(call, event.data));
        else if (event.kind === "native") turn.native = event.data;
        else if (event.kind === "rejected") {
          turn.native = undefined;
          endTurn();
          messages.push(...writer.answers([failure("execute", event.data?.message ?? "the block was refused")]));
        }
        break;
    }
  }
  return { messages, endTurn, owed };
}

/** A damaged log must not end a conversation: what cannot be read is told as such. */
function storedCall(event: Pick<CallEvent, "content" | "id">): StoredCall {
  try {
    return { ...callOf(event), content: event.content };
  } catch {
    return storedCall({ ...event, content: callText("unreadable", {}) });
  }
}

/** What ran is what the model is told it asked for. */
function asRun(call: StoredCall, { id, call: content }: { id: string; call?: string }): StoredCall {
  return call.id === id && content ? storedCall({ ...call, content }) : call;
}

/** One result per call, also if the log holds fewer or more. */
function storedResults(calls: readonly ToolCall[], content: string): ToolResult[] {
  const results = parseResults(content);
  const otherwise = results ? interrupted : "the stored results could not be read";
  return calls.map(({ name }, index) => results?.[index] ?? failure(name, otherwise));
}

function failure(tool: string, content: string): ToolResult {
  return { tool, status: "failure", content };
}
