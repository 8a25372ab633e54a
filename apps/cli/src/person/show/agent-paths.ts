import type { RunEvent } from "@cogency/protocol";
import { oneLine } from "../../base/terminal/text.ts";

/** An event, and the names of the agents in which it happened: empty for the agent that the person speaks to. */
export interface PlacedEvent {
  readonly path: readonly string[];
  /** The ids of the calls that started these agents, as one text: ids of calls are unique within one agent alone. */
  readonly place: string;
  readonly event: RunEvent;
}

/** Finds the agent of each event of a run, by the calls that started the agents. */
export class AgentPaths {
  /** The names by the ids of calls, from the outermost to that of the agent. */
  readonly #names = new Map<string, string>();

  read(event: RunEvent): PlacedEvent {
    const ids: string[] = [];
    const path: string[] = [];
    let inner = event;
    while (inner.type === "subagent") {
      ids.push(inner.id);
      path.push(this.#names.get(keyOf(ids)) ?? "agent");
      inner = inner.event;
    }
    if (inner.type === "tool_started") {
      const name = agentOf(inner.args);
      if (name !== undefined) this.#names.set(keyOf([...ids, inner.id]), name);
    }
    if (event.type === "run_ended") this.#names.clear();
    return { path, place: keyOf(ids), event: inner };
  }
}

/** The event of the innermost agent: what a person answers there concerns them as much. */
export function innermost(event: RunEvent): RunEvent {
  return event.type === "subagent" ? innermost(event.event) : event;
}

/** `reviewer › tester › read`; a name alone is of the agent that the person speaks to. */
export function pathText(path: readonly string[], name?: string): string {
  return [...path, ...(name === undefined ? [] : [name])].map((one) => oneLine(one, 64)).join(" › ");
}

/** The agent that a call of the tool `agent` starts. */
export function agentOf(args: { readonly agent?: unknown; readonly prompt?: unknown }): string | undefined {
  return typeof args.agent === "string" && typeof args.prompt === "string" ? oneLine(args.agent, 64) : undefined;
}

function keyOf(ids: readonly string[]): string {
  return JSON.stringify(ids);
}
