import { callContent } from "../call-content.ts";
import type { ModelMessage } from "../message.ts";
import type { ToolResult } from "../tool.ts";
import type { StoredCall, Turn } from "./form-writer.ts";

/** A turn of the model that is over, and where its messages stand. */
interface AnsweredTurn {
  readonly turn: Turn;
  readonly results: readonly ToolResult[];
  /** The place of its first message. */
  readonly at: number;
  readonly count: number;
}

/** The turns with calls, so that their messages can be written again without some of them. */
export class AnsweredTurns {
  readonly #write: (turn: Turn, results: readonly ToolResult[]) => ModelMessage[];
  readonly #ofCall = new Map<string, AnsweredTurn>();
  /** The messages of a turn as they were written last, by the calls that they leave out. */
  readonly #written = new WeakMap<AnsweredTurn, { without: string; messages: ModelMessage[] }>();

  constructor(write: (turn: Turn, results: readonly ToolResult[]) => ModelMessage[]) {
    this.#write = write;
  }

  add(answered: AnsweredTurn): void {
    for (const { id } of answered.turn.calls) if (id !== undefined) this.#ofCall.set(id, answered);
  }

  /** The messages from `first` on, without these calls and their results. */
  shown(messages: readonly ModelMessage[], first: number, without: ReadonlySet<string> = none): ModelMessage[] {
    if (without.size === 0) return messages.slice(first);
    const found = new Set<AnsweredTurn>();
    for (const id of without) {
      const answered = this.#ofCall.get(id);
      if (answered && answered.at >= first) found.add(answered);
    }
    const shown: ModelMessage[] = [];
    let next = first;
    for (const answered of [...found].sort((a, b) => a.at - b.at)) {
      for (; next < answered.at; next++) shown.push(messages[next] as ModelMessage);
      shown.push(...this.#shorter(answered, without));
      next += answered.count;
    }
    for (; next < messages.length; next++) shown.push(messages[next] as ModelMessage);
    return shown;
  }

  #shorter(answered: AnsweredTurn, without: ReadonlySet<string>): ModelMessage[] {
    const { turn, results } = answered;
    const isLeftOut = turn.calls.map(({ id }) => id !== undefined && without.has(id));
    const key = isLeftOut.join();
    const known = this.#written.get(answered);
    if (known?.without === key) return known.messages;
    const messages = this.#fewer(turn, results, isLeftOut);
    this.#written.set(answered, { without: key, messages });
    return messages;
  }

  #fewer(turn: Turn, results: readonly ToolResult[], isLeftOut: readonly boolean[]): ModelMessage[] {
    const calls = turn.calls.filter((_, index) => !isLeftOut[index]);
    const left = results.filter((_, index) => !isLeftOut[index]);
    if (calls.length > 0) return this.#write({ ...turn, calls }, left);
    const { units, from } = turn;
    const words = this.#write({ units, calls, from }, []);
    // Words that nothing answers would stand directly before the next words of the model.
    return words.length === 0 ? [] : this.#write({ units, calls: turn.calls.map(marked), from }, results.map(empty));
  }
}

const none: ReadonlySet<string> = new Set();

const mark = { left_out: "a later call stands for this one" };

function marked(call: StoredCall): StoredCall {
  return { ...call, args: mark, content: callContent(call.name, mark) };
}

function empty({ tool }: ToolResult): ToolResult {
  return { tool, status: "success", content: "" };
}
