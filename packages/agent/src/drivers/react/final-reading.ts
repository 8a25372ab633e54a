import type { FinishReason } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { AnswerReading } from "../answer-reading.ts";
import type { ReadingEnd, StepContext, StepEvent } from "../driver.ts";
import type { RawUnits } from "../raw-units.ts";

/** Reads the answer that a request of its own writes. If that is empty, the draft is the answer. */
export class FinalReading extends AnswerReading {
  readonly #units: RawUnits;
  readonly #draft: string;

  constructor(context: StepContext, units: RawUnits, request: ModelRequest, draft: string) {
    super(context, request, 0);
    this.#units = units;
    this.#draft = draft;
  }

  protected writeReasoning(piece: string): readonly StepEvent[] {
    return this.#units.write("think", piece);
  }

  protected writeText(piece: string): readonly StepEvent[] {
    return this.#units.write("respond", piece);
  }

  protected endWhole(finish: FinishReason | undefined): Pick<ReadingEnd, "events" | "asWritten"> {
    const isEmpty = this.text.toString().trim() === "" && finish !== undefined && finish !== "aborted";
    return { events: isEmpty ? this.#units.write("respond", this.#draft) : [], asWritten: false };
  }

  protected endBroken(piece: string): readonly StepEvent[] {
    return this.#units.write("respond", piece);
  }
}
