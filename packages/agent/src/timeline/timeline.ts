import type { AgentEvent, RunEvent } from "@cogency/protocol";
import type { ActivityEvent, RunPlace } from "@cogency/protocol/host";
import { randomId } from "../flat-text.ts";
import { hear, type Listeners, type RunListener } from "./listeners.ts";

type WithoutTime<E> = E extends unknown ? Omit<E, "timestamp"> : never;

/** An activity event without its time, which the timeline adds. */
export type Activity = WithoutTime<ActivityEvent>;

interface TimelineParts {
  conversation: string;
  user: string | undefined;
  /** Unix time in seconds. */
  clock: () => number;
  /** The listeners of the agent. */
  listeners: Listeners;
  /** The listener of the run. */
  own: RunListener | undefined;
  /** Gives an event to a consumer that asked for all of them. */
  offer: ((event: RunEvent) => void) | undefined;
}

/**
 * The one order of everything that a run lets others see: the events of the protocol, and the activity around them. A consumer
 * of all events and every listener get the same objects in this order.
 */
export class Timeline {
  /** The id of the run. */
  readonly id = randomId();
  /** The step of the run, counted from 1. */
  step = 0;
  hasStarted = false;
  #order = 0;
  /** By the id of each call of the batch: `told` once its `call` event is on the timeline, before that its activity. */
  #calls: Map<string, "told" | (() => Activity)[]> | undefined;
  readonly #parts: TimelineParts;

  constructor(parts: TimelineParts) {
    this.#parts = parts;
  }

  /** Whether anybody hears more than the events of the protocol. */
  get isHeard(): boolean {
    const { own, offer, listeners } = this.#parts;
    return own !== undefined || offer !== undefined || !listeners.isEmpty;
  }

  /** Puts an event of the protocol on the timeline. Returns what the consumer gets. */
  mark(event: AgentEvent): AgentEvent | RunEvent {
    const marked = { ...event, run: this.#place() };
    this.#tell(marked);
    // The events that are given together with the call come first.
    if (event.type === "call" && event.id !== undefined) queueMicrotask(() => this.#tellHeld(event.id as string));
    return this.#parts.offer ? marked : event;
  }

  /** Puts an activity on the timeline. It is made only if anybody hears it. */
  tell(make: () => Activity): void {
    if (!this.isHeard) return;
    const event = { ...make(), timestamp: this.#parts.clock(), run: this.#place() } as RunEvent;
    this.#tell(event);
    this.#parts.offer?.(event);
  }

  /** Begins a batch. `ids` are those of calls that an earlier run has told. */
  openBatch(ids: readonly string[]): void {
    this.#calls = this.isHeard ? new Map(ids.map((id) => [id, "told"])) : undefined;
  }

  /** Puts the activity of a call on the timeline, after the `call` event: the call may begin before that is stored and shown. */
  tellOfCall(id: string, make: () => Activity): void {
    const held = this.#calls?.get(id);
    if (held === "told") this.tell(make);
    else if (held) held.push(make);
    else this.#calls?.set(id, [make]);
  }

  #tellHeld(id: string): void {
    const held = this.#calls?.get(id);
    this.#calls?.set(id, "told");
    if (Array.isArray(held)) for (const make of held) this.tell(make);
  }

  #place(): RunPlace {
    const { conversation, user } = this.#parts;
    this.#order++;
    return { id: this.id, conversation, ...(user !== undefined && { user }), step: this.step, order: this.#order };
  }

  #tell(event: RunEvent): void {
    const { own, listeners } = this.#parts;
    listeners.tell(event);
    if (own) hear(own, event);
  }
}
