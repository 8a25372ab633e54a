import type { LogEvent, RecordEvent } from "../events.ts";
import type { ModelMessage } from "../message.ts";
import { parseResults } from "../results.ts";
import type { ToolResult } from "../tool.ts";
import { type AssemblyOptions, writerOf } from "./assemble.ts";
import type { FormWriter, StoredCall, Turn } from "./form-writer.ts";
import { LogAssembler } from "./log-assembler.ts";

/** Returns the messages of `toMessages`, each with the places of the events that it was made from, counted from 0 and in order. */
export function tracedMessages(
  log: readonly LogEvent[],
  { form, without }: AssemblyOptions,
): { message: ModelMessage; events: readonly number[] }[] {
  const assembler = new TracedAssembler(writerOf(form));
  assembler.write(log);
  const messages = assembler.messages(0, { without: new Set(without) });
  return messages.map((message) => ({ message, events: assembler.eventsOf(message) }));
}

/** Keeps which events each message and each result was made from. It looks at what reading an event has changed. */
class TracedAssembler extends LogAssembler {
  readonly #form: FormWriter;
  readonly #events = new Map<object, readonly number[]>();
  /** The records that say what became of the calls of the open turn, by the ids of the calls. */
  readonly #told = new Map<string | undefined, number>();
  /** The place of the event that is read. */
  #at = -1;

  constructor(form: FormWriter) {
    super(form);
    this.#form = form;
  }

  override write(events: readonly LogEvent[]): void {
    for (const event of events) {
      this.#at++;
      const known = this.finished.length;
      if (event.type === "record") this.#writeRecord(event);
      else super.write([event]);
      for (const message of this.finished.slice(known)) this.#keepNew(message);
      for (const message of this.summary.messages) this.#keepNew(message);
      this.#keepPlace(event);
    }
  }

  /** In order; empty for what the runtime says by itself. */
  eventsOf(made: object): readonly number[] {
    return this.#events.get(made) ?? [];
  }

  override missing(): ToolResult[] {
    return super.missing().map((result, i) => this.#keep({ ...result }, this.#toldOf(i)));
  }

  /** A result that the batch lacks, and the attachments of one, come from the records of the calls. */
  protected override storedResults(content: string): ToolResult[] {
    const results = super.storedResults(content);
    const stored = parseResults(content)?.length ?? results.length;
    for (const [i, result] of results.entries()) {
      const told = i >= stored || result.attachments?.length ? this.#toldOf(i) : [];
      this.#keep(result, i < stored ? [...told, this.#at] : told);
    }
    return results;
  }

  protected override forgetCalls(): void {
    super.forgetCalls();
    this.#told.clear();
  }

  protected override written(turn: Turn, results: readonly ToolResult[]): ModelMessage[] {
    const messages = super.written(turn, results);
    const own = messages[0]?.role === "assistant" ? messages[0] : undefined;
    if (own) this.#keep(own, eventsOfTurn(turn, this.#form));
    const answers = own ? messages.slice(1) : messages;
    const isOneEach = answers.length === results.length;
    for (const [i, answer] of answers.entries()) {
      const answered = isOneEach ? results.slice(i, i + 1) : results;
      this.#keep(answer, ordered(answered.flatMap((result) => this.eventsOf(result))));
    }
    return messages;
  }

  #keep<Made extends object>(made: Made, events: readonly number[]): Made {
    this.#events.set(made, events);
    return made;
  }

  #keepNew(message: ModelMessage): void {
    if (!this.#events.has(message)) this.#keep(message, [this.#at]);
  }

  /** Keeps in the open turn where its units, calls and blocks stand. */
  #keepPlace(event: LogEvent): void {
    const { turn } = this;
    turn.from ??= { units: [] };
    if (event.type === "think" || event.type === "respond") turn.from.units.push(this.#at);
    if (event.type === "record" && event.kind === "native") turn.from.native = this.#at;
    const call = event.type === "call" && turn.calls.at(-1);
    if (call) call.from = [this.#at];
  }

  #writeRecord(event: RecordEvent): void {
    const id = this.#subjectOf(event);
    const [state, call] = [this.#stateOf(id), this.#callOf(event, id)];
    super.write([event]);
    const now = this.#callOf(event, id);
    if (now && now !== call) now.from = [...(call?.from ?? []), this.#at];
    if (this.#stateOf(id) !== state) this.#told.set(id, this.#at);
  }

  /** The id of the call that a record is about. */
  #subjectOf({ kind, data }: RecordEvent): string | undefined {
    if (kind === "answer") return this.asked.get(data?.question);
    return kind === "question" ? data?.call : (data as { id?: string } | undefined)?.id;
  }

  #stateOf(id: string | undefined): ToolResult | boolean {
    return this.begun.get(id) ?? this.begun.has(id);
  }

  #callOf({ kind }: RecordEvent, id: string | undefined): StoredCall | undefined {
    return kind === "started" ? this.turn.calls.find((call) => call.id === id) : undefined;
  }

  #toldOf(index: number): number[] {
    const told = this.#told.get(this.turn.calls[index]?.id);
    return told === undefined ? [] : [told];
  }
}

function eventsOfTurn(turn: Turn, form: FormWriter): number[] {
  const { units, calls, native, from } = turn;
  const hidesThinking = form.hidesThinking?.(turn) ?? false;
  const said = from?.units.filter((_, i) => !(hidesThinking && units[i]?.type === "think")) ?? [];
  const showsNative = native !== undefined && form.showsNative === true && from?.native !== undefined;
  return ordered([
    ...said,
    ...calls.flatMap((call) => call.from ?? []),
    ...(showsNative ? [from.native as number] : []),
  ]);
}

function ordered(places: readonly number[]): number[] {
  return [...new Set(places)].sort((a, b) => a - b);
}
