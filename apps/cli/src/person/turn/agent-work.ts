import type { RunEvent, ToolCall } from "@cogency/protocol";
import { counted, fitted, oneLine } from "../../base/terminal/text.ts";
import { agentOf } from "../show/agent-paths.ts";
import { callText } from "./call-text.ts";
import { runningText, secondsSince } from "./duration-text.ts";

/** Agents below another one that have a row of their own. */
const mostBelow = 4;

/** What an agent does that a call has started, and what those do that it has started itself. */
export class AgentWork {
  readonly name: string;
  readonly #startedAt = performance.now();
  readonly #running = new Map<string, ToolCall>();
  readonly #below = new Map<string, AgentWork>();
  #doing = "works";
  #calls = 0;
  #tokens = 0;
  #isOver = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Whether its run has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  event(event: RunEvent): void {
    switch (event.type) {
      case "subagent":
        this.#below.get(event.id)?.event(event.event);
        break;
      case "tool_started": {
        this.#calls++;
        this.#running.set(event.id, event);
        const name = agentOf(event.args);
        if (name !== undefined) this.#below.set(event.id, new AgentWork(name));
        break;
      }
      case "tool_ended":
        this.#running.delete(event.id);
        this.#doing = "thinks";
        break;
      case "approval_requested":
        this.#doing = `asks whether ${oneLine(event.name, 64)} may run`;
        break;
      case "request_started":
      case "think":
        this.#doing = "thinks";
        break;
      case "respond":
        this.#doing = "writes";
        break;
      case "request_ended":
        if (event.usage) this.#tokens += tokensOf(event.usage);
        break;
      case "run_ended":
        this.#isOver = event.status !== "waiting";
        this.#running.clear();
        break;
    }
  }

  /** What it does now: `read src/a.ts · 3 calls · 4,200 tokens`, and below it a row for each agent that it waits for. */
  rows(columns: number): string[] {
    return [this.#line(columns), ...this.#rowsBelow(columns - 2)];
  }

  /** Such as `  tester 8 s  shell npm test · 1 call · 900 tokens` */
  #rowsBelow(columns: number): string[] {
    const below = [...this.#below.values()].filter((work) => !work.isOver);
    const shown = below.slice(0, mostBelow);
    const rows = shown.flatMap((work) => {
      const head = `${work.name} ${runningText(secondsSince(work.#startedAt))}  `;
      return [head + work.#line(columns - head.length), ...work.#rowsBelow(columns - 2)];
    });
    const rest = below.length > shown.length ? [`… ${counted(below.length - shown.length, "more agent")}`] : [];
    return [...rows, ...rest].map((row) => `  ${fitted(row, columns)}`);
  }

  #line(columns: number): string {
    const facts = [
      ...(this.#calls > 0 ? [counted(this.#calls, "call")] : []),
      ...(this.#total > 0 ? [tokensText(this.#total)] : []),
    ].join(" · ");
    const room = Math.max(8, columns - facts.length - 3);
    return fitted(facts === "" ? this.#now(columns) : `${this.#now(room)} · ${facts}`, Math.max(8, columns));
  }

  #now(room: number): string {
    // One that waits for others says nothing beyond their rows.
    const own = [...this.#running].filter(([id]) => !this.#below.has(id)).map(([, call]) => call);
    const [call] = own.length > 0 ? own : [...this.#running.values()];
    if (!call) return this.#doing;
    if (own.length === 0) return "waits";
    const more = own.length > 1 ? ` and ${own.length - 1} more` : "";
    const name = oneLine(call.name, 64);
    return `${name} ${callText(call, Math.max(8, room - name.length - more.length - 1))}`.trimEnd() + more;
  }

  get #total(): number {
    return [...this.#below.values()].reduce((sum, work) => sum + work.#total, this.#tokens);
  }
}

/** `4,200 tokens` */
function tokensText(tokens: number): string {
  return `${tokens.toLocaleString("en")} ${tokens === 1 ? "token" : "tokens"}`;
}

function tokensOf(usage: { input: number; output: number; cacheRead: number; cacheWrite: number }): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}
