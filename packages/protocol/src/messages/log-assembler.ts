import { areAttachments } from "../attachment.ts";
import { callContent, callOf } from "../call-content.ts";
import type { CallEvent, LogEvent, RecordEvent } from "../events.ts";
import type { ModelMessage } from "../message.ts";
import { isWholeResult, parseResults } from "../results.ts";
import type { ToolResult } from "../tool.ts";
import { AnsweredTurns } from "./answered-turns.ts";
import type { Assembler, Shown } from "./assembler.ts";
import { type FormWriter, type StoredCall, type Turn, userMessage } from "./form-writer.ts";

/** The user message that ends a request where the log ends with the model's own words. */
export const CONTINUE = "Continue.";

/** The failure of a call that began and whose end was not recorded. */
export const OUTCOME_UNKNOWN =
  "outcome unknown: the call had begun when the run broke off, and it may have completed. Look before you do it again.";

const interrupted = "interrupted: no result was recorded";

/** Reads a log event by event. What is protected here is what a trace looks at. */
export class LogAssembler implements Assembler {
  readonly #writer: FormWriter;
  /** The messages of the turns that are over. */
  protected readonly finished: ModelMessage[] = [];
  /** Those of them that hold calls. */
  readonly #answered = new AnsweredTurns((turn, results) => this.written(turn, results));
  /** For each event that was read, how many messages come before it; -1 inside of a turn. */
  readonly #before: number[] = [];
  /** The messages that begin every list, and how many finished ones they stand for. */
  protected summary: { messages: ModelMessage[]; from: number; upTo: number } = { messages: [], from: 0, upTo: 0 };
  /** The words that stood before the first event the last time, so that they are the same object as long as they are the same. */
  #words: { text: string; message: ModelMessage } | undefined;
  /** The turn that is open at the end of the log. */
  protected turn: Turn = { units: [], calls: [] };
  /** The calls of the open turn that began, by id, with the results that were recorded. */
  protected readonly begun = new Map<string | undefined, ToolResult | undefined>();
  /** The questions that calls of the open turn ask, with the ids of the calls. */
  protected readonly asked = new Map<string | undefined, string | undefined>();

  constructor(writer: FormWriter) {
    this.#writer = writer;
  }

  write(events: readonly LogEvent[]): void {
    for (const event of events) {
      if (event.type === "user") this.#endTurn();
      const { units, calls, native } = this.turn;
      this.#before.push(units.length + calls.length > 0 || native ? -1 : this.finished.length);
      this.#read(event);
    }
  }

  messages(from = 0, { without, words }: Shown = {}): ModelMessage[] {
    const summary = this.summary;
    const before = this.#before[from] ?? 0;
    const first = Math.max(summary.from, before);
    const text = words?.(summary.from >= before ? summary.upTo : from);
    const messages = [
      ...summary.messages,
      ...(text ? [this.#wordsMessage(text)] : []),
      ...this.#answered.shown(this.finished, first, without),
      ...this.written(this.turn, this.missing()),
    ];
    if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: CONTINUE });
    return messages;
  }

  missing(): ToolResult[] {
    return this.turn.calls.map(
      ({ name, id }) => this.begun.get(id) ?? failure(name, this.begun.has(id) ? OUTCOME_UNKNOWN : interrupted),
    );
  }

  #read(event: LogEvent): void {
    const turn = this.turn;
    switch (event.type) {
      case "think":
      case "respond":
        turn.units.push(event);
        break;
      case "call":
        turn.calls.push({
          ...storedCall(event),
          requestId: this.#writer.requestId?.(event.id) ?? "",
        });
        break;
      case "result":
      case "cancelled":
        // A result without a call is skipped.
        if (turn.calls.length > 0)
          this.#endTurn(event.type === "result" ? this.storedResults(event.content) : undefined);
        this.forgetCalls();
        break;
      case "user": {
        const { content, attachments } = event;
        this.finished.push(userMessage(this.#userText(content), areAttachments(attachments) ? attachments : undefined));
        break;
      }
      case "record":
        this.#readRecord(event);
        break;
    }
  }

  #readRecord(event: RecordEvent): void {
    const turn = this.turn;
    switch (event.kind) {
      case "started":
        this.begun.set(event.data?.id, this.begun.get(event.data?.id));
        if (event.data?.call) withRunCall(turn.calls, event.data);
        break;
      case "finished":
        this.begun.set(event.data?.id, isWholeResult(event.data?.result) ? event.data.result : undefined);
        break;
      case "not_done":
        if (!this.begun.get(event.data?.id)) this.begun.delete(event.data?.id);
        break;
      case "question":
        // It has no effect before its question is answered.
        if (event.data?.asks === "answer" && this.begun.has(event.data.call) && !this.begun.get(event.data.call)) {
          this.asked.set(event.data.id, event.data.call);
          this.begun.delete(event.data.call);
        }
        break;
      case "answer": {
        const call = this.asked.get(event.data?.question);
        if (call !== undefined) this.begun.set(call, this.begun.get(call));
        break;
      }
      case "native":
        turn.native = event.data;
        break;
      case "summary": {
        // A log from elsewhere may hold anything.
        const { upTo, text } = (event.data ?? {}) as { upTo?: unknown; text?: unknown };
        const from = this.#before[typeof upTo === "number" ? upTo : -1] ?? -1;
        if (from >= 0 && (upTo === 0 || (text && typeof text === "string")))
          this.summary = {
            messages: upTo ? [userMessage(this.#userText(text as string))] : [],
            from,
            upTo: upTo as number,
          };
        break;
      }
      case "rejected": {
        turn.native = undefined;
        this.#endTurn();
        const reason = failure("execute", event.data?.message ?? "the block was refused");
        this.finished.push(...this.#writer.resultMessages([reason]));
        break;
      }
    }
  }

  protected storedResults(content: string): ToolResult[] {
    return storedResults(this.missing(), parseResults(content));
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
    const messages = this.written(this.turn, results);
    this.#answered.add({ turn: this.turn, results, at: this.finished.length, count: messages.length });
    this.finished.push(...messages);
    this.turn = { units: [], calls: [] };
    this.forgetCalls();
  }

  protected forgetCalls(): void {
    this.begun.clear();
    this.asked.clear();
  }

  /** Writes the message of a turn, and those that answer its calls; changes nothing. */
  protected written(turn: Turn, results: readonly ToolResult[]): ModelMessage[] {
    const message = this.#writer.assistantMessage(turn);
    message.content = message.content.toWellFormed();
    const isEmpty = message.content === "" && !message.calls;
    const answers = results.length > 0 ? this.#writer.resultMessages(results, message) : [];
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
function withRunCall(calls: StoredCall[], { id, call: content }: { id: string; call?: string }): void {
  const index = calls.findIndex((call) => call.id === id);
  const call = calls[index];
  if (!call || !content) return;
  calls[index] = { ...call, ...storedCall({ ...call, content }) };
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
