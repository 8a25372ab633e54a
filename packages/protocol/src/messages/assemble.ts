import type { LogEvent } from "../events.ts";
import type { MessageForm, ModelMessage } from "../message.ts";
import { checkOptions, listOf, type OptionTable, oneOf, required, text } from "../options/index.ts";
import type { ToolResult } from "../tool.ts";
import type { Assembler } from "./assembler.ts";
import type { FormWriter } from "./form-writer.ts";
import { LogAssembler } from "./log-assembler.ts";
import { nativeForm } from "./native-form.ts";
import { reactForm } from "./react-form.ts";
import { textForm } from "./text-form.ts";

export interface AssemblyOptions {
  /** How the messages are written. */
  form: MessageForm;
  /** The ids of calls that are left out with their results, because later ones stand for them; see {@link Shown}. */
  without?: readonly string[] | undefined;
}

/**
 * Assembles the messages of a model request from the log (protocol.md §4): in the text protocol's JSON or XML dialect,
 * with native tool calls, or as thought, action and observation. Every form takes every log, whichever driver wrote it.
 *
 * A `native` record belongs to the message of its step: it stands after the messages that the step answers and before the
 * step's own results. If a step has several, the last one counts. It is left out if the step's block was refused, and makes
 * no message by itself.
 *
 * The text of the last `summary` record stands for the `upTo` events before it, as the words of a user. A record that would cut
 * a turn in two has no effect.
 *
 * INVARIANT (byte-stable): assembling twice gives the same messages, and a log that grew by whole steps gives a list that
 * begins with the old one, unless it grew by a summary or more calls are left out. (A runtime that goes on after the model's own words appends a `user` event
 * first.)
 * INVARIANT (always valid): any prefix of a log gives a valid request: every call is answered directly, no result is
 * without a call, no assistant message is empty, and the last message is not the assistant's. The results of
 * {@link missingResults} are assembled where they have not been appended.
 *
 * @throws TypeError or RangeError, with the code `invalid_option`, for a form that is none
 */
export function toMessages(log: readonly LogEvent[], options: AssemblyOptions): ModelMessage[] {
  const assembler = assemblerFor("toMessages", options);
  assembler.write(log);
  return assembler.messages(0, { without: new Set(options.without) });
}

/**
 * Returns the results of the calls at the end of the log that have none, in call order: the result of the call's
 * `finished` record; the failure `outcome unknown: …` for a call that only has a `started` record; the failure
 * `interrupted: no result was recorded` for a call that never began, that had no effect (record `not_done`), or whose body
 * asks a person (record `question`) and has no answer. Records count from the end of the last turn on, so that an id that is used again is not taken for an
 * earlier call. Empty if every call has its result. A runtime appends them as one `result` before it uses the log again.
 */
export function missingResults(log: readonly LogEvent[]): ToolResult[] {
  const assembler = new LogAssembler({
    assistantMessage: () => ({ role: "assistant", content: "" }),
    resultMessages: () => [],
  });
  assembler.write(log);
  return assembler.missing();
}

/** Makes an assembler for one log. Throws as {@link toMessages} does. */
export function createAssembler(options: AssemblyOptions): Assembler {
  return assemblerFor("createAssembler", options);
}

function assemblerFor(where: string, options: AssemblyOptions): Assembler {
  checkOptions(where, options, assemblyOptions);
  return new LogAssembler(writerOf(options.form));
}

const assemblyOptions = {
  form: /* @__PURE__ */ required(/* @__PURE__ */ oneOf("json", "xml", "native", "react")),
  without: /* @__PURE__ */ listOf(text, "an array of strings"),
} satisfies OptionTable<AssemblyOptions>;

/** The writer of a form. */
export function writerOf(form: MessageForm): FormWriter {
  if (form === "native") return nativeForm();
  return form === "react" ? reactForm : textForm(form);
}
