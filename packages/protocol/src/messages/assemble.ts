import { areAttachments } from "../attachment.ts";
import { callContent, callOf } from "../call-content.ts";
import type { CallEvent, LogEvent, RecordEvent } from "../events.ts";
import type { MessageForm, ModelMessage } from "../message.ts";
import { checkOptions, listOf, type OptionTable, oneOf, required, text } from "../options/index.ts";
import { isWholeResult, parseResults } from "../results.ts";
import type { ToolResult } from "../tool.ts";
import { AnsweredTurns } from "./answered-turns.ts";
import { type FormWriter, type StoredCall, type Turn, userMessage } from "./form-writer.ts";
import { nativeForm } from "./native-form.ts";
import { reactForm } from "./react-form.ts";
import { textForm } from "./text-form.ts";
import { Trace } from "./trace.ts";

/** The user message that ends a request where the log ends with the model's own words. */
export const CONTINUE = "Continue.";

/** The failure of a call that began and whose end was not recorded. */
export const OUTCOME_UNKNOWN =
  "outcome unknown: the call had begun when the run broke off, and it may have completed. Look before you do it again.";

const interrupted = "interrupted: no result was recorded";

export interface AssemblyOptions {
  /** How the messages are written. */
  form: MessageForm;
  /** The ids of calls that are left out with their results, because later ones stand for them; see {@link Shown}. */
  without?: readonly string[] | undefined;
}

/** What messages hold otherwise than the log. */
export interface Shown {
  /**
   * The ids of calls that are left out with their results. A message that would be left with words alone keeps its calls, each with
   * `left_out` in place of its arguments.
   */
  readonly without?: ReadonlySet<string> | undefined;
  /**
   * Words that stand before the first event that is shown, and after a summary, as the words of a user. Called with the number of that
   * event, counted from 0.
   */
  words?(from: number): string | undefined;
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

/** Returns the messages of {@link toMessages}, each with the places of the events that it was made from, counted from 0 and in order. */
export function tracedMessages(
  log: readonly LogEvent[],
  { form, without }: AssemblyOptions,
): { message: ModelMessage; events: readonly number[] }[] {
  const trace = new Trace();
  const assembler = new LogAssembler(writerOf(form), trace);
  assembler.write(log);
  const messages = assembler.messages(0, { without: new Set(without) });
  return messages.map((message) => ({ message, events: trace.eventsOf(message) }));
}

/** Assembles a log that grows: each event is read once, when it is written. */
export interface Assembler {
  /** Reads the next events of the log. How the log is cut into writes changes nothing. */
  write(events: readonly LogEvent[]): void;
  /**
   * Returns what {@link toMessages} returns for the log so far. Asking changes nothing: the turn at the end stays open.
   * Takes as long as writing the open turn and copying the list of the other messages.
   *
   * The list is the caller's. Its messages must not be changed: later lists hold the same objects.
   * INVARIANT: a message of a turn that is over is the same object in every list, and is never changed.
   *
   * @param from leaves out the messages of the events before this one, counted from 0. Without effect if it stands inside of a turn,
   * or if a summary stands for more
   * @param shown what the messages hold otherwise than the log. A message that leaves out the same calls is the same object in every list.
   */
  messages(from?: number, shown?: Shown): ModelMessage[];
  /** Returns what {@link missingResults} returns for the log so far. Asking changes nothing. */
  missing(): ToolResult[];
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

function writerOf(form: MessageForm): FormWriter {
  if (form === "native") return nativeForm();
  return form === "react" ? reactForm : textForm(form);
}

class LogAssembler implements Assembler {
  readonly #writer: FormWriter;
  /** Absent unless somebody asks which events the messages were made from. */
  readonly #trace: Trace | undefined;
  /** The messages of the turns that are over. */
  readonly #finished: ModelMessage[] = [];
  /** Those of them that hold calls. */
  readonly #answered = new AnsweredTurns((turn, results) => this.#written(turn, results));
  /** For each event that was read, how many messages come before it; -1 inside of a turn. */
  readonly #before: number[] = [];
  /** The messages that begin every list, and how many finished ones they stand for. */
  #summary: { messages: ModelMessage[]; from: number; upTo: number } = { messages: [], from: 0, upTo: 0 };
  /** The words that stood before the first event the last time, so that they are the same object as long as they are the same. */
  #words: { text: string; message: ModelMessage } | undefined;
  /** The turn that is open at the end of the log. */
  #turn: Turn;
  /** The calls of the open turn that began, by id, with the results that were recorded. */
  readonly #begun = new Map<string | undefined, ToolResult | undefined>();
  /** The questions that calls of the open turn ask, with the ids of the calls. */
  readonly #asked = new Map<string | undefined, string | undefined>();
  /** For the trace: the records that say what became of the calls of the open turn. */
  readonly #told = new Map<string | undefined, number>();

  constructor(writer: FormWriter, trace?: Trace) {
    this.#writer = writer;
    this.#trace = trace;
    this.#turn = this.#newTurn();
  }

  write(events: readonly LogEvent[]): void {
    for (const event of events) {
      if (event.type === "user") this.#endTurn();
      const { units, calls, native } = this.#turn;
      this.#before.push(units.length + calls.length > 0 || native ? -1 : this.#finished.length);
      this.#read(event);
    }
  }

  messages(from = 0, { without, words }: Shown = {}): ModelMessage[] {
    const summary = this.#summary;
    const before = this.#before[from] ?? 0;
    const first = Math.max(summary.from, before);
    const text = words?.(summary.from >= before ? summary.upTo : from);
    const messages = [
      ...summary.messages,
      ...(text ? [this.#wordsMessage(text)] : []),
      ...this.#answered.shown(this.#finished, first, without),
      ...this.#written(this.#turn, this.missing()),
    ];
    if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: CONTINUE });
    return messages;
  }

  missing(): ToolResult[] {
    return this.#turn.calls.map(({ name, id }) => {
      const result = this.#begun.get(id) ?? failure(name, this.#begun.has(id) ? OUTCOME_UNKNOWN : interrupted);
      const told = this.#told.get(id);
      return this.#trace && told !== undefined ? this.#trace.keep({ ...result }, [told]) : result;
    });
  }

  #read(event: LogEvent): void {
    const turn = this.#turn;
    switch (event.type) {
      case "think":
      case "respond":
        turn.units.push(event);
        turn.from?.units.push(this.#at);
        break;
      case "call":
        turn.calls.push({
          ...storedCall(event),
          requestId: this.#writer.requestId?.(event.id) ?? "",
          ...(this.#trace && { from: [this.#at] }),
        });
        break;
      case "result":
      case "cancelled":
        // A result without a call is skipped.
        if (turn.calls.length > 0)
          this.#endTurn(event.type === "result" ? this.#storedResults(event.content) : undefined);
        this.#forgetCalls();
        break;
      case "user": {
        const { content, attachments } = event;
        const message = userMessage(this.#userText(content), areAttachments(attachments) ? attachments : undefined);
        this.#finished.push(this.#fromHere(message));
        break;
      }
      case "record":
        this.#readRecord(event);
        break;
    }
  }

  #readRecord(event: RecordEvent): void {
    const turn = this.#turn;
    switch (event.kind) {
      case "started":
        if (!this.#begun.has(event.data?.id)) this.#told.set(event.data?.id, this.#at);
        this.#begun.set(event.data?.id, this.#begun.get(event.data?.id));
        if (event.data?.call) withRunCall(turn.calls, event.data, this.#at);
        break;
      case "finished":
        this.#begun.set(event.data?.id, isWholeResult(event.data?.result) ? event.data.result : undefined);
        this.#told.set(event.data?.id, this.#at);
        break;
      case "not_done":
        if (!this.#begun.get(event.data?.id) && this.#begun.delete(event.data?.id))
          this.#told.set(event.data?.id, this.#at);
        break;
      case "question":
        // It has no effect before its question is answered.
        if (event.data?.asks === "answer" && this.#begun.has(event.data.call) && !this.#begun.get(event.data.call)) {
          this.#asked.set(event.data.id, event.data.call);
          this.#begun.delete(event.data.call);
          this.#told.set(event.data.call, this.#at);
        }
        break;
      case "answer": {
        const call = this.#asked.get(event.data?.question);
        if (call === undefined) break;
        if (!this.#begun.has(call)) this.#told.set(call, this.#at);
        this.#begun.set(call, this.#begun.get(call));
        break;
      }
      case "native":
        turn.native = event.data;
        if (turn.from) turn.from.native = this.#at;
        break;
      case "summary": {
        // A log from elsewhere may hold anything.
        const { upTo, text } = (event.data ?? {}) as { upTo?: unknown; text?: unknown };
        const from = this.#before[typeof upTo === "number" ? upTo : -1] ?? -1;
        if (from >= 0 && (upTo === 0 || (text && typeof text === "string")))
          this.#summary = {
            messages: upTo ? [this.#fromHere(userMessage(this.#userText(text as string)))] : [],
            from,
            upTo: upTo as number,
          };
        break;
      }
      case "rejected": {
        turn.native = undefined;
        this.#endTurn();
        const reason = failure("execute", event.data?.message ?? "the block was refused");
        this.#finished.push(...this.#writer.resultMessages([reason]).map((message) => this.#fromHere(message)));
        break;
      }
    }
  }

  /** The place of the event that is read. */
  get #at(): number {
    return this.#before.length - 1;
  }

  #fromHere<Message extends ModelMessage>(message: Message): Message {
    return this.#trace?.keep(message, [this.#at]) ?? message;
  }

  #newTurn(): Turn {
    return { units: [], calls: [], ...(this.#trace && { from: { units: [] } }) };
  }

  #storedResults(content: string): ToolResult[] {
    const fallbacks = this.missing();
    const stored = parseResults(content);
    const results = storedResults(fallbacks, stored);
    this.#trace?.keepResults(results, this.#at, fallbacks, stored?.length ?? results.length);
    return results;
  }

  #userText(content: string): string {
    return (this.#writer.userContent?.(content) ?? content).toWellFormed();
  }

  #wordsMessage(text: string): ModelMessage {
    if (this.#words?.text !== text) this.#words = { text, message: userMessage(this.#userText(text)) };
    return this.#words.message;
  }

  /** Ends the open turn, and answers its calls. */
  #endTurn(results = this.missing()): void {
    const messages = this.#written(this.#turn, results);
    this.#answered.add({ turn: this.#turn, results, at: this.#finished.length, count: messages.length });
    this.#finished.push(...messages);
    this.#turn = this.#newTurn();
    this.#forgetCalls();
  }

  #forgetCalls(): void {
    this.#begun.clear();
    this.#asked.clear();
    this.#told.clear();
  }

  /** Writes the message of a turn, and those that answer its calls; changes nothing. */
  #written(turn: Turn, results: readonly ToolResult[]): ModelMessage[] {
    const message = this.#writer.assistantMessage(turn);
    message.content = message.content.toWellFormed();
    const isEmpty = message.content === "" && !message.calls;
    const answers = results.length > 0 ? this.#writer.resultMessages(results, message) : [];
    this.#trace?.keepTurn(turn, message, results, answers, this.#writer);
    return isEmpty ? answers : [message, ...answers];
  }
}

/** A damaged log must not end a conversation: a call that cannot be read is named `unreadable`. */
function storedCall(event: Pick<CallEvent, "content" | "id">): Omit<StoredCall, "requestId"> {
  try {
    return { ...callOf(event), content: event.content };
  } catch {
    return storedCall({ ...event, content: callContent("unreadable", {}) });
  }
}

/** The call that ran takes the place of the one that the model wrote. */
function withRunCall(calls: StoredCall[], { id, call: content }: { id: string; call?: string }, at: number): void {
  const index = calls.findIndex((call) => call.id === id);
  const call = calls[index];
  if (!call || !content) return;
  calls[index] = { ...call, ...storedCall({ ...call, content }), ...(call.from && { from: [...call.from, at] }) };
}

/** One result for each call, also if the log holds fewer or more. The attachments stand in the records of the calls. */
function storedResults(fallbacks: readonly ToolResult[], results: readonly ToolResult[] | null): ToolResult[] {
  return fallbacks.map((fallback, i) => ({
    ...fallback,
    ...(results ? results[i] : failure(fallback.tool, "the stored results could not be read")),
  }));
}

function failure(tool: string, content: string): ToolResult {
  return { tool, status: "failure", content };
}
