import { childrenInBackground } from "@cogency/agent/child";
import type { RunEvent } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import { oneLine } from "../../base/terminal/text.ts";
import { isAgentTool } from "../../base/tool-names.ts";

export interface BackgroundAgentsOptions {
  store(): Promise<Store>;
  /** Called with what the person reads of an agent that has ended. */
  onEnd(text: string): void;
  /** Called when the count has changed. */
  onChange(): void;
  /** Milliseconds between two looks into the store. Defaults to 1000. */
  pause?: number;
}

/** The agents that calls of this process have started in the background. Their end comes as a message, which no event tells of. */
export class BackgroundAgents {
  readonly #options: BackgroundAgentsOptions;
  readonly #running = new Map<string, string>();
  #conversation = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: BackgroundAgentsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#running.size;
  }

  /** @param conversation that of the event */
  event(event: RunEvent, conversation: string): void {
    if (event.type !== "tool_ended" || !isAgentTool(event.name) || event.outcome !== "success") return;
    const { agent, conversation: child, status } = (event.result.content ?? {}) as Record<string, unknown>;
    if (typeof child !== "string") return;
    // The model has waited for it.
    if (status !== "running" && !this.#running.delete(child)) return;
    if (status === "running") this.#running.set(child, oneLine(String(agent), 64));
    this.#conversation = conversation;
    this.#options.onChange();
    this.#look();
  }

  /** The conversation is left. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running.clear();
  }

  #look(): void {
    this.#timer ??= setTimeout(async () => {
      const over = await this.#over().catch(() => []);
      if (this.#timer === undefined) return;
      this.#timer = undefined;
      for (const child of over) this.#end(child);
      if (this.#running.size > 0) this.#look();
    }, this.#options.pause ?? 1000).unref();
  }

  #end(child: string): void {
    const name = this.#running.get(child);
    this.#running.delete(child);
    this.#options.onEnd(`The agent ${name} in the background is done. The model learns of it with your next prompt.`);
    this.#options.onChange();
  }

  /** Those whose end waits in the inbox, or is in the log. */
  async #over(): Promise<string[]> {
    const key = { conversation: this.#conversation };
    const store = await this.#options.store();
    const [inbox, records] = [await store.inbox(key), await store.load(key, { types: ["record"] })];
    const open = new Set(childrenInBackground(records));
    for (const { message } of inbox)
      if (message.kind === "notice" && message.child) open.delete(message.child.conversation);
    return [...this.#running.keys()].filter((child) => !open.has(child));
  }
}
