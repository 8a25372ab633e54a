import { createSlots, type Slots } from "@cogency/async";
import type { LlamaContextSequence, Token } from "node-llama-cpp";

/** A lane that is in use. `leave` is called once, when nothing of the answer is under way any more. */
export interface Lane {
  readonly sequence: LlamaContextSequence;
  leave(): void;
}

/** The places where answers are made. Each keeps what its last request and answer were, as far as it was read. */
export class Lanes {
  /** Tokens that a prompt and its answer may have together. */
  readonly contextSize: number;
  readonly #slots: Slots;
  readonly #free: LlamaContextSequence[];

  constructor(sequences: readonly LlamaContextSequence[]) {
    this.contextSize = Math.min(...sequences.map(({ contextSize }) => contextSize));
    this.#slots = createSlots(sequences.length);
    this.#free = [...sequences];
  }

  /** Waits for a lane, and takes the one that has most of these tokens already. @throws the signal's reason */
  async take(tokens: readonly Token[], signal: AbortSignal): Promise<Lane> {
    const giveBack = await this.#slots.take(signal);
    const known = this.#free.map((sequence) => sequence.compareContextTokens([...tokens]).firstDifferentIndex);
    const [sequence] = this.#free.splice(known.indexOf(Math.max(...known)), 1);
    if (!sequence) throw new Error("A slot was given out without a lane.");
    return {
      sequence,
      leave: () => {
        this.#free.push(sequence);
        giveBack();
      },
    };
  }
}
