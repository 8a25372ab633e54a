import { duration } from "../../conversation/format.ts";
import type { ShownConversation } from "../../conversation/shown-conversation.ts";
import { revealed } from "../../text.ts";
import type { Server } from "./server.ts";

/** Shows how long each call has run so far, and the last line of what it has printed. No log holds either. */
export class RunningCalls {
  readonly #conversation: ShownConversation;
  /** Holds the entries of this conversation and no other. */
  readonly #element: HTMLElement;
  readonly #readLines: () => ReturnType<Server["running"]>;
  #lines: ReadonlyMap<string, string> = new Map();
  #isReading = false;

  constructor(conversation: ShownConversation, element: HTMLElement, readLines: () => ReturnType<Server["running"]>) {
    this.#conversation = conversation;
    this.#element = element;
    this.#readLines = readLines;
  }

  /** To be called about once a second. Asks the server only while a call runs and somebody looks at the page. */
  async tick(): Promise<void> {
    if (this.#running().length === 0 || this.#isReading || document.visibilityState !== "visible") return;
    this.#isReading = true;
    // Whether the server can be reached is said elsewhere.
    const running = await this.#readLines().catch(() => []);
    this.#isReading = false;
    this.#lines = new Map(running.map(({ id, line }) => [id, line]));
    this.draw();
  }

  draw(): void {
    const now = Date.now() / 1000;
    for (const { seq, id, started } of this.#running()) {
      const element = this.#element.querySelector(`#e${seq}`);
      const time = element?.querySelector(".time");
      const line = element?.querySelector(".progress");
      if (time) time.textContent = soFar(now - started);
      if (line) line.textContent = revealed(this.#lines.get(id) ?? "");
    }
  }

  #running(): { seq: number; id: string; started: number }[] {
    return this.#conversation.entries().flatMap(({ seq, shown }) => {
      if (shown.type !== "call" || shown.state !== "running") return [];
      return [{ seq, id: shown.id ?? "", started: shown.started ?? 0 }];
    });
  }
}

/** `0 s`, `12 s`, `2 min 3 s`. The clock of the server may be ahead. */
function soFar(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return whole < 60 ? `${whole} s` : duration(whole);
}
