import { stripVTControlCharacters } from "node:util";
import { progressAfter } from "@cogency/page";
import type { RunEvent, ToolCall } from "@cogency/protocol";
import { oneLine } from "../../base/terminal/text.ts";
import { runningText, secondsSince } from "../../person/turn/duration-text.ts";

/** Seconds after which it is said that a call still runs; then after every minute. */
const pauses = [10, 30, 60];

interface RunningCall {
  readonly call: ToolCall;
  /** By the clock of `performance.now()`. */
  readonly startedAt: number;
  progress: string;
  told: number;
  timer: NodeJS.Timeout;
}

/** Says from time to time of a call that takes long how many seconds it has run, and the last line that it printed. */
export class PlainProgress {
  readonly #running = new Map<string, RunningCall>();
  readonly #say: (call: ToolCall, text: string) => void;

  constructor(say: (call: ToolCall, text: string) => void) {
    this.#say = say;
  }

  event(event: RunEvent): void {
    switch (event.type) {
      case "tool_started": {
        const timer = this.#timer(event.id, 0);
        this.#running.set(event.id, { call: event, startedAt: performance.now(), progress: "", told: 0, timer });
        break;
      }
      case "tool_progress": {
        const running = this.#running.get(event.id);
        if (running) running.progress = progressAfter(event.update, running.progress);
        break;
      }
      case "tool_ended":
        this.#end(event.id);
        break;
      case "run_ended":
        for (const id of [...this.#running.keys()]) this.#end(id);
        break;
    }
  }

  #timer(id: string, told: number): NodeJS.Timeout {
    const due = pauses[told] ?? 60 * (told - pauses.length + 2);
    const before = told === 0 ? 0 : (pauses[told - 1] ?? due - 60);
    return setTimeout(() => this.#tell(id), (due - before) * 1000).unref();
  }

  #tell(id: string): void {
    const running = this.#running.get(id);
    if (!running) return;
    running.told++;
    running.timer = this.#timer(id, running.told);
    const lines = stripVTControlCharacters(running.progress).split(/[\r\n]+/);
    const last = oneLine(lines.findLast((line) => line.trim() !== "") ?? "", 200);
    const time = runningText(secondsSince(running.startedAt));
    this.#say(running.call, `running for ${time}${last === "" ? "" : `, the last line is: ${last}`}`);
  }

  #end(id: string): void {
    clearTimeout(this.#running.get(id)?.timer);
    this.#running.delete(id);
  }
}
