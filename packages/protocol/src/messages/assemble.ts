import { callContent, callOf } from "../call-content.ts";
import type { CallEvent, LogEvent } from "../events.ts";
import type { MessageForm, ModelMessage } from "../message.ts";
import { isResult, parseResults } from "../results.ts";
import type { ToolResult } from "../tool.ts";
import type { FormWriter, StoredCall, Turn } from "./form-writer.ts";
import { nativeForm } from "./native-form.ts";
import { reactForm } from "./react-form.ts";
import { textForm } from "./text-form.ts";

/** The user message that ends a request where the log ends with the model's own words. */
export const CONTINUE = "Continue.";

/** The failure of a call that began and whose end was not recorded. */
const outcomeUnknown =
  "outcome unknown: the call had begun when the run broke off, and it may have completed. Look before you do it again.";

const interrupted = "interrupted: no result was recorded";

/**
 * Assembles the messages of a model request from the log (protocol.md §4): in the text protocol's JSON or XML dialect,
 * with native tool calls, or as thought, action and observation. Every form takes every log, whichever driver wrote it.
 *
 * A `native` record belongs to the message of its step: it stands after the messages that the step answers and before the
 * step's own results. If a step has several, the last one counts. It is left out if the step's block was refused, and makes
 * no message by itself.
 *
 * INVARIANT (byte-stable): assembling twice gives the same messages, and a log that grew by whole steps gives a list that
 * begins with the old one. (A runtime that goes on after the model's own words appends a `user` event first.)
 * INVARIANT (always valid): any prefix of a log gives a valid request: every call is answered directly, no result is
 * without a call, no assistant message is empty, and the last message is not the assistant's. The results of
 * {@link missingResults} are assembled where they have not been appended.
 */
export function toMessages(log: readonly LogEvent[], { form }: { form: MessageForm }): ModelMessage[] {
  const { messages, endTurn } = replay(log, writerOf(form));
  endTurn();
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: CONTINUE });
  return messages;
}

/**
 * Returns the results of the calls at the end of the log that have none, in call order: the result of the call's
 * `finished` record; the failure `outcome unknown: …` for a call that only has a `started` record; the failure
 * `interrupted: no result was recorded` for a call that never began. Records count from the end of the last turn on, so
 * that an id that is used again is not taken for an earlier call. Empty if every call has its result. A runtime appends
 * them as one `result` before it uses the log again.
 */
export function missingResults(log: readonly LogEvent[]): ToolResult[] {
  return replay(log, {
    assistantMessage: () => ({ role: "assistant", content: "" }),
    resultMessages: () => [],
  }).missing();
}

function writerOf(form: MessageForm): FormWriter {
  if (form === "native") return nativeForm();
  return form === "react" ? reactForm : textForm(form);
}

/** Writes the log in one form, except for the turn that is open at its end. */
function replay(log: readonly LogEvent[], writer: FormWriter) {
  const messages: ModelMessage[] = [];
  let turn: Turn = { units: [], calls: [] };
  /** The calls of the open turn that began, by id, with the results that were recorded. */
  const begun = new Map<string | undefined, ToolResult | undefined>();

  const missing = () =>
    turn.calls.map(({ name, id }) => begun.get(id) ?? failure(name, begun.has(id) ? outcomeUnknown : interrupted));

  /** Ends the assistant's message and answers its calls. */
  const endTurn = (results = missing()) => {
    const message = writer.assistantMessage(turn);
    turn = { units: [], calls: [] };
    begun.clear();
    message.content = message.content.toWellFormed();
    if (message.content !== "" || message.calls) messages.push(message);
    if (results.length > 0) messages.push(...writer.resultMessages(results, message));
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
        // A result without a call is skipped.
        if (turn.calls.length > 0)
          endTurn(event.type === "result" ? storedResults(missing(), event.content) : undefined);
        begun.clear();
        break;
      case "user":
        endTurn();
        messages.push({ role: "user", content: (writer.userContent?.(event.content) ?? event.content).toWellFormed() });
        break;
      case "record":
        if (event.kind === "started") {
          begun.set(event.data?.id, begun.get(event.data?.id));
          turn.calls = turn.calls.map((call) => withRunCall(call, event.data));
        } else if (event.kind === "finished") {
          begun.set(event.data?.id, isResult(event.data?.result) ? event.data.result : undefined);
        } else if (event.kind === "native") turn.native = event.data;
        else if (event.kind === "rejected") {
          turn.native = undefined;
          endTurn();
          messages.push(...writer.resultMessages([failure("execute", event.data?.message ?? "the block was refused")]));
        }
        break;
    }
  }
  return { messages, endTurn, missing };
}

/** A damaged log must not end a conversation: a call that cannot be read is named `unreadable`. */
function storedCall(event: Pick<CallEvent, "content" | "id">): StoredCall {
  try {
    return { ...callOf(event), content: event.content };
  } catch {
    return storedCall({ ...event, content: callContent("unreadable", {}) });
  }
}

/** The call that ran takes the place of the one that the model wrote. */
function withRunCall(call: StoredCall, ran: { id: string; call?: string } | undefined): StoredCall {
  return call.id === ran?.id && ran?.call ? storedCall({ ...call, content: ran.call }) : call;
}

/** One result for each call, also if the log holds fewer or more. */
function storedResults(fallbacks: readonly ToolResult[], content: string): ToolResult[] {
  const results = parseResults(content);
  return fallbacks.map((fallback, i) =>
    results ? (results[i] ?? fallback) : failure(fallback.tool, "the stored results could not be read"),
  );
}

function failure(tool: string, content: string): ToolResult {
  return { tool, status: "failure", content };
}
