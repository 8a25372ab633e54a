import type { RunEvent } from "@cogency/protocol";

type EndedCall = RunEvent & { type: "tool_ended" };

/** The latest calls with their results, and the latest thoughts, which can be shown in full when the person asks for them. */
export class Outputs {
  readonly #calls: EndedCall[] = [];
  #thoughts = "";
  #isThinking = false;

  /** Follows the events of runs. */
  event(event: RunEvent): void {
    if (event.type === "tool_ended") {
      this.#calls.push(event);
      if (this.#calls.length > most) this.#calls.shift();
    } else if (event.type === "think") {
      this.#thoughts = this.#isThinking ? this.#thoughts + event.content : event.content;
    }
    if (event.type === "think") this.#isThinking = true;
    else if (event.type !== "request_ended") this.#isThinking = false;
  }

  /** The call so many before the last one that has ended. */
  call(back: number): EndedCall | undefined {
    return this.#calls.at(-1 - back);
  }

  /** What the model thought last; empty if it has not. */
  get thoughts(): string {
    return this.#thoughts.trim();
  }
}

/** Calls that are kept. */
const most = 50;
