import type { RunEvent } from "@cogency/protocol";

type EndedCall = RunEvent & { type: "tool_ended" };

/** The latest calls with their results, thoughts and answer, which a person can ask for. */
export class Outputs {
  readonly #calls: EndedCall[] = [];
  #thoughts = "";
  #isThinking = false;
  #answer = "";
  /** The unit of the answer that was written last; undefined where the next text begins another answer. */
  #unit: number | "whole" | undefined;

  /** Follows the events of runs. */
  event(event: RunEvent): void {
    if (event.type === "tool_ended") {
      this.#calls.push(event);
      if (this.#calls.length > most) this.#calls.shift();
    } else if (event.type === "think") {
      this.#thoughts = this.#isThinking ? this.#thoughts + event.content : event.content;
    }
    if (event.type === "respond") this.#said(event.content, event.unit ?? "whole");
    else if (event.type === "user" || event.type === "tool_ended" || event.type === "run_ended") this.#unit = undefined;
    if (event.type === "think") this.#isThinking = true;
    else if (event.type !== "request_ended") this.#isThinking = false;
  }

  /** The call so many before the last one that has ended. */
  call(back: number): EndedCall | undefined {
    return this.#calls.at(-1 - back);
  }

  /** What the model said last, after its last call; empty if it has said nothing. */
  get answer(): string {
    return this.#answer.trim();
  }

  /** What the model thought last; empty if it has not. */
  get thoughts(): string {
    return this.#thoughts.trim();
  }

  /** A text without a unit is whole. */
  #said(content: string, unit: number | "whole"): void {
    if (this.#unit === undefined) this.#answer = content;
    else this.#answer += unit === this.#unit && unit !== "whole" ? content : `\n\n${content}`;
    this.#unit = unit;
  }
}

/** Calls that are kept. */
const most = 50;
