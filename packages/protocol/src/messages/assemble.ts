import { callContent, callOf } from "../call-content.ts";
import type { CallEvent, LogEvent } from "../events.ts";
import type { MessageForm, ModelMessage } from "../message.ts";
import { isResult, parseResults } from "../results.ts";
import type { ToolResult } from "../tool.ts";
import type { FormWriter, StoredCall, Turn } from "./form-writer.ts";
import { nativeForm } from "./native-form.ts";
import { reactForm } from "./react-form.ts";
import { textForm } from "./text-form.ts";

/** What a request says in place of the person when the log ends with the model's own words. */
export const CONTINUE = "Continue.";

/** The outcome of a call that began, and of which nothing more was recorded. */
const outcomeUnknown =
  "outcome unknown: the call had begun when the run broke off, and it may have completed. Look before you do it again.";

const interrupted = "interrupted: no result was recorded";

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
  const { messages, endTurn } = replay(log, writerOf(form));
  endTurn();
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: CONTINUE });
  return messages;
}

/**
 * The outcomes that the log still owes to the calls at its end, in call order: what a `finished` record says,
 * `outcome unknown: …` for a call with a `started` record, `interrupted: no result was recorded` for a call that
 * never began. Records count from the last message of somebody else or result on, so that a call that was given the id
 * of an earlier one is not taken for it. Empty when nothing is owed. A runtime appends them as one `result` before it
 * uses the log.
 */
export function missingResults(log: readonly LogEvent[]): ToolResult[] {
  return replay(log, { said: () => ({ role: "assistant", content: "" }), answers: () => [] }).owed();
}

function writerOf(form: MessageForm): FormWriter {
  if (form === "native") return nativeForm();
  return form === "react" ? reactForm : textForm(form);
}

/** Tells the log in one form, all but the turn that is open at its end. */
function replay(log: readonly LogEvent[], writer: FormWriter) {
  const messages: ModelMessage[] = [];
  let turn: Turn = { units: [], calls: [] };
  /** The calls of the open turn that began, by id; with their results, where these were recorded. */
  const begun = new Map<string | undefined, ToolResult | undefined>();

  const owed = () =>
    turn.calls.map(({ name, id }) => begun.get(id) ?? failure(name, begun.has(id) ? outcomeUnknown : interrupted));

  /** End the assistant's message, and answer its calls. */
  const endTurn = (results = owed()) => {
    const message = writer.said(turn);
    turn = { units: [], calls: [] };
    begun.clear();
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
      case "cancelled":
        // A result that no call asked for is skipped.
        if (turn.calls.length > 0) endTurn(event.type === "result" ? storedResults(owed(), event.content) : undefined);
        begun.clear();
        break;
      case "user":
        endTurn();
        messages.push({ role: "user", content: (writer.heard?.(event.content) ?? event.content).toWellFormed() });
        break;
      case "record":
        if (event.kind === "started") {
          begun.set(event.data?.id, begun.get(event.data?.id));
          turn.calls = turn.calls.map((call) => asRun(call, event.data));
        } else if (event.kind === "finished") {
          begun.set(event.data?.id, isResult(event.data?.result) ? event.data.result : undefined);
        } else if (event.kind === "native") turn.native = event.data;
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
    return storedCall({ ...event, content: callContent("unreadable", {}) });
  }
}

/** What ran is what the model is told it asked for. */
function asRun(call: StoredCall, ran: { id: string; call?: string } | undefined): StoredCall {
  return call.id === ran?.id && ran?.call ? storedCall({ ...call, content: ran.call }) : call;
}

/** One result per call, also if the log holds fewer or more. */
function storedResults(owed: readonly ToolResult[], content: string): ToolResult[] {
  const results = parseResults(content);
  return owed.map((otherwise, i) =>
    results ? (results[i] ?? otherwise) : failure(otherwise.tool, "the stored results could not be read"),
  );
}

function failure(tool: string, content: string): ToolResult {
  return { tool, status: "failure", content };
}
