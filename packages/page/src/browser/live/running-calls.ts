import { duration } from "../../conversation/format.ts";
import type { ShownConversation } from "../../conversation/shown-conversation.ts";
import type { Entry } from "../../conversation/step.ts";
import { revealed } from "../../text.ts";

/** Shows how long each call has run so far, and the last line of what it has printed. No log holds either. */
export class RunningCalls {
  readonly #conversation: ShownConversation;
  /** Holds the entries of this conversation and no other. */
  readonly #element: HTMLElement;

  constructor(conversation: ShownConversation, element: HTMLElement) {
    this.#conversation = conversation;
    this.#element = element;
  }

  /** To be called when something has come, and about once a second. */
  draw(): void {
    const now = Date.now() / 1000;
    for (const { seq, shown } of this.#running()) {
      if (shown.type !== "call") continue;
      const element = this.#element.querySelector(`#e${seq}`);
      const time = element?.querySelector(".time");
      const line = element?.querySelector(".progress");
      if (time) time.textContent = soFar(now - (shown.started ?? 0));
      if (line) line.textContent = revealed(this.#conversation.progressOf(shown.id ?? ""));
    }
  }

  /** The calls that run: after the last words to the model. */
  #running(): Entry[] {
    const { blocks } = this.#conversation;
    const from = blocks.findLastIndex((block) => block.type === "entry" && block.entry.shown.type === "user");
    const entries = blocks
      .slice(from + 1)
      .flatMap((block) => (block.type === "step" ? block.step.entries : block.entry));
    return entries.filter(({ shown }) => shown.type === "call" && shown.state === "running");
  }
}

/** `0 s`, `12 s`, `2 min 3 s`. The clock of the server may be ahead. */
function soFar(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return whole < 60 ? `${whole} s` : duration(whole);
}
