import type { RunEvent } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import { agentOf } from "../../person/show/agent-paths.ts";

/** An agent that works in the background. */
export interface BackgroundAgent {
  readonly name: string;
  /** Its own conversation. */
  readonly conversation: string;
  /** By the clock of `performance.now()`. */
  readonly startedAt: number;
}

interface Options {
  /** Called when the conversation has been told that an agent has ended. */
  onEnd(name: string): void;
}

/** The agents that work in the background in this process, by the conversations that have started them. */
export class BackgroundAgents {
  readonly #options: Options;
  readonly #working = new Map<string, BackgroundAgent & { readonly of: string }>();

  constructor(options: Options) {
    this.#options = options;
  }

  of(conversation: string): readonly BackgroundAgent[] {
    return [...this.#working.values()].filter((agent) => agent.of === conversation);
  }

  /** Reads an event of a run of a conversation that goes on now. */
  event(event: RunEvent, of: string): void {
    if (event.type === "tool_ended") this.#begun(event, of);
    if (event.type !== "message_received" || event.kind !== "notice") return;
    // The message of an agent is named after its conversation.
    const conversation = event.id.replace(/#end$/, "");
    const ended = this.#working.get(conversation);
    this.#working.delete(conversation);
    if (ended) this.#options.onEnd(ended.name);
  }

  /** How many still work. */
  get count(): number {
    return this.#working.size;
  }

  #begun({ name, args, result }: Extract<RunEvent, { type: "tool_ended" }>, of: string): void {
    const agent = name === "agent" && result.status === "success" ? agentOf(args) : undefined;
    const { conversation, status } = (result.content ?? {}) as { conversation?: unknown; status?: unknown };
    if (agent === undefined || typeof conversation !== "string" || status !== "running") return;
    this.#working.set(conversation, { name: agent, conversation, startedAt: performance.now(), of });
  }
}

/** The conversations of agents whose process ended before they did. */
export async function interruptedAgents(
  store: Store,
  conversation: string,
  working: readonly BackgroundAgent[],
): Promise<string[]> {
  const { childrenInBackground } = await import("@cogency/agent/child");
  const isHere = new Set(working.map((agent) => agent.conversation));
  const log = await store.load({ conversation }, { types: ["record"] });
  return childrenInBackground(log).filter((child) => !isHere.has(child));
}
