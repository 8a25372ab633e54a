import type { ToolResult } from "../tool.ts";
import type { FormWriter, Turn } from "./form-writer.ts";

/** Keeps of one assembly which events of the log each message and each result was made from, by their places, counted from 0. */
export class Trace {
  readonly #events = new WeakMap<object, readonly number[]>();

  keep<Made extends object>(made: Made, events: readonly number[]): Made {
    this.#events.set(made, events);
    return made;
  }

  /** In order; empty for what the runtime says by itself. */
  eventsOf(made: object): readonly number[] {
    return this.#events.get(made) ?? [];
  }

  /** Keeps the stored results of a batch. A result that the batch lacks, and the attachments of one, come from the records of the calls. */
  keepResults(results: readonly ToolResult[], at: number, fallbacks: readonly ToolResult[], stored: number): void {
    for (const [i, result] of results.entries()) {
      const fallback = fallbacks[i];
      const own = fallback && (i >= stored || result.attachments?.length) ? this.eventsOf(fallback) : [];
      this.keep(result, i < stored ? [...own, at] : own);
    }
  }

  /** Keeps the messages of a turn: its own, and those that answer its calls. */
  keepTurn(
    turn: Turn,
    message: object,
    results: readonly ToolResult[],
    answers: readonly object[],
    writer: FormWriter,
  ) {
    this.keep(message, eventsOfTurn(turn, writer));
    const isOneEach = answers.length === results.length;
    for (const [i, answer] of answers.entries()) {
      const answered = isOneEach ? results.slice(i, i + 1) : results;
      this.keep(answer, ordered(answered.flatMap((result) => this.eventsOf(result))));
    }
  }
}

function eventsOfTurn(turn: Turn, writer: FormWriter): number[] {
  const { units, calls, native, from } = turn;
  const hidesThinking = writer.hidesThinking?.(turn) ?? false;
  const said = from?.units.filter((_, i) => !(hidesThinking && units[i]?.type === "think")) ?? [];
  const showsNative = native !== undefined && writer.showsNative === true && from?.native !== undefined;
  return ordered([
    ...said,
    ...calls.flatMap((call) => call.from ?? []),
    ...(showsNative ? [from.native as number] : []),
  ]);
}

function ordered(places: readonly number[]): number[] {
  return [...new Set(places)].sort((a, b) => a - b);
}
