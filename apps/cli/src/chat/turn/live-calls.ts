import type { RunEvent } from "@cogency/protocol";
import { progressAfter } from "../../screen/call-progress.ts";
import { type RunningCall, runningCallLines, writtenCallLine } from "./call-lines.ts";

/** The calls that the model is writing, and those that run. */
export class LiveCalls {
  readonly #written = new Map<number, { name: string; text: string }>();
  readonly #running = new Map<string, RunningCall>();

  event(event: RunEvent): void {
    switch (event.type) {
      case "call_delta": {
        const { name, text } = this.#written.get(event.index) ?? { name: "", text: "" };
        this.#written.set(event.index, { name: event.name ?? name, text: text + event.content });
        break;
      }
      case "tool_started":
        this.#running.set(event.id, { call: event, startedAt: performance.now(), progress: "" });
        break;
      case "tool_progress": {
        const call = this.#running.get(event.id);
        if (call) call.progress = progressAfter(event.update, call.progress);
        break;
      }
      case "tool_ended":
        this.#running.delete(event.id);
        break;
      case "execute":
      case "error":
        this.#written.clear();
        break;
      case "run_ended":
        this.#written.clear();
        this.#running.clear();
        break;
    }
  }

  rows(columns: number, stream: NodeJS.WriteStream): string[] {
    return [
      ...[...this.#written.values()].map(({ name, text }) => writtenCallLine(name, text, columns, stream)),
      ...[...this.#running.values()].flatMap((call) => runningCallLines(call, columns, stream)),
    ];
  }
}
