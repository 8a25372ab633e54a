import { progressAfter } from "@cogency/page";
import type { RunEvent } from "@cogency/protocol";
import { counted } from "../../base/terminal/text.ts";
import { agentOf } from "../show/agent-paths.ts";
import { AgentWork } from "./agent-work.ts";
import { type RunningCall, runningCallLines, writtenCallLine } from "./call-lines.ts";

/** Agents that are shown at the same time. */
const mostAgents = 6;

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
      case "tool_started": {
        const name = agentOf(event.args);
        const work = name === undefined ? undefined : new AgentWork(name);
        this.#running.set(event.id, { call: event, startedAt: performance.now(), progress: "", work });
        break;
      }
      case "subagent":
        this.#running.get(event.id)?.work?.event(event.event);
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
    const running = [...this.#running.values()];
    const agents = running.filter(({ work }) => work !== undefined);
    const hidden = new Set(agents.slice(mostAgents));
    return [
      ...[...this.#written.values()].map(({ name, text }) => writtenCallLine(name, text, columns, stream)),
      ...running.filter((call) => !hidden.has(call)).flatMap((call) => runningCallLines(call, columns, stream)),
      ...(hidden.size > 0 ? [`  … ${counted(hidden.size, "more agent")}`] : []),
    ];
  }
}
