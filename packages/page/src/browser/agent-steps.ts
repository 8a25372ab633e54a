import { ShownConversation } from "../conversation/shown-conversation.ts";
import type { PageEvent } from "../page-source.ts";
import { BlocksView } from "./blocks-view.ts";
import type { AgentConversations } from "./page-context.ts";
import { button, tag } from "./tag.ts";

/** Where the conversations of agents come from. */
export interface AgentSource {
  /** Where a conversation is shown alone; undefined if the page cannot show it so. */
  hrefOf(conversation: string): string | undefined;
  /** The permalink of an event of a conversation; `id` is that of its element on this page. */
  hrefOfEvent(conversation: string, seq: number, id: string): string;
  /** Gives the events of a conversation as they come. Returns what ends that; undefined if the page does not have them. */
  read(conversation: string, onEvent: (event: PageEvent) => void): (() => void) | undefined;
}

/** Browsers keep six connections to a server. The page needs one for its own conversation, and some for what it asks. */
const mostFollowed = 3;

/** The steps of agents, each within the call that has started it. Those that go on are followed, a few at a time. */
export class AgentSteps implements AgentConversations {
  readonly open = new Set<string>();
  readonly #source: AgentSource;
  readonly #steps = new Map<string, Steps>();
  #followed: readonly Steps[] = [];

  constructor(source: AgentSource) {
    this.#source = source;
  }

  hrefOf(conversation: string): string | undefined {
    return this.#source.hrefOf(conversation);
  }

  stepsOf(conversation: string): HTMLElement | undefined {
    const known = this.#steps.get(conversation);
    if (known) return known.element;
    const prefix = `a${this.#steps.size + 1}-`;
    const steps = new Steps(conversation, prefix, this.#source, this);
    this.#steps.set(conversation, steps);
    if (!this.follow(steps)) return undefined;
    return steps.element;
  }

  /** Begins to follow, in place of the one that has been followed for the longest time. Returns whether there is something to follow. */
  follow(steps: Steps): boolean {
    if (!steps.start()) return false;
    const all = [...this.#followed.filter((one) => one !== steps), steps].filter((one) => one.isFollowed);
    for (const one of all.slice(0, Math.max(0, all.length - mostFollowed))) one.pause();
    this.#followed = all.filter((one) => one.isFollowed);
    return true;
  }

  close(): void {
    for (const steps of this.#followed) steps.stop();
    this.#followed = [];
  }
}

class Steps {
  readonly element = tag("div", { class: "agent-steps" });
  readonly #name: string;
  readonly #source: AgentSource;
  readonly #conversation = new ShownConversation();
  readonly #view: BlocksView;
  readonly #again: HTMLElement;
  #stop: (() => void) | undefined;
  #isDue = false;

  constructor(name: string, prefix: string, source: AgentSource, all: AgentSteps) {
    this.#name = name;
    this.#source = source;
    const idOf = (seq: number) => `${prefix}e${seq}`;
    this.#view = new BlocksView({
      conversation: this.#conversation,
      idOf,
      hrefOf: (seq) => source.hrefOfEvent(name, seq, idOf(seq)),
      agents: all,
    });
    this.#again = tag(
      "p",
      { class: "row", hidden: true },
      "Other agents are followed now. ",
      button("Follow this one", () => all.follow(this)),
    );
    this.element.append(this.#view.element, this.#again);
  }

  get isFollowed(): boolean {
    return this.#stop !== undefined;
  }

  start(): boolean {
    this.#again.hidden = true;
    if (this.#stop) return true;
    const stop = this.#source.read(this.#name, (event) => {
      this.#conversation.write(event);
      this.#draw();
    });
    if (!stop) return false;
    this.#stop = stop;
    this.#drawNow();
    return true;
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  pause(): void {
    this.stop();
    this.#again.hidden = false;
  }

  #draw(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => this.#drawNow());
  }

  #drawNow(): void {
    this.#isDue = false;
    this.#view.draw();
    // What has ended needs no connection.
    const last = this.#conversation.events.at(-1);
    if (last?.type === "record" && last.kind === "run" && this.#conversation.isIdle) this.stop();
  }
}
