import { startTimer, type Timer } from "@cogency/async";
import type { Json } from "@cogency/protocol";
import type { CallToolResult, Notification } from "@modelcontextprotocol/server";
import type { InputAsked } from "../asking/client-inputs.ts";
import { McpHostError } from "../call-host.ts";

/** What the request of the call would have been answered with. */
export type TaskOutcome = { readonly result: CallToolResult } | { readonly error: TaskFault };

/** An error of JSON-RPC. */
export interface TaskFault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A request to the client that a task waits for. */
export interface TaskAsk extends Pick<InputAsked<unknown>, "method" | "params"> {
  /** Aborts when the task waits for it no more. */
  readonly over: AbortSignal;
  answer(value: unknown): void;
  /** The client was asked, and will not answer. */
  refuse(why: string): void;
}

/** A request of the client by which a task can ask and tell. A newer one takes the place of an older one. */
export interface TaskChannel {
  put(ask: TaskAsk): void;
  notify(notification: Notification): Promise<void>;
  leave(): void;
}

/**
 * A call that goes on after its request was answered: until it ends, its client cancels it, or its time is over. The first of these
 * counts. What the call has come to is in its outcome alone: an agent's conversation is in the store of the agent.
 */
export class Task {
  readonly id: string = crypto.randomUUID();
  /** Milliseconds from its creation for which it is kept. */
  readonly ttl: number;
  readonly created: number = Date.now();
  updated: number = this.created;
  /** The last thing that the call said about itself. */
  message: string | undefined;
  /** The conversation of an agent in which the call works. */
  conversation: string | undefined;
  /** Whether the client has got the outcome. */
  isRead = false;
  /** Called when the status changes. */
  onStatus: () => void = () => {};
  channel: TaskChannel | undefined;
  #outcome: TaskOutcome | undefined;
  #isCancelled = false;
  #status: "working" | "input_required" | "ended" = "working";
  #asked = 0;
  readonly #asks = new Map<string, TaskAsk>();
  readonly #controller = new AbortController();
  readonly #ended = Promise.withResolvers<TaskOutcome>();

  constructor(ttl: number) {
    this.ttl = ttl;
  }

  /** Aborts when nobody wants the outcome any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get status(): "working" | "input_required" | "ended" | "cancelled" {
    return this.#isCancelled ? "cancelled" : this.#status;
  }

  get outcome(): TaskOutcome | undefined {
    return this.#outcome;
  }

  get ended(): Promise<TaskOutcome> {
    return this.#ended.promise;
  }

  /** What it waits for, by keys that are never used again. */
  get asks(): ReadonlyMap<string, TaskAsk> {
    return this.#asks;
  }

  say(message: string): void {
    if (this.#outcome) return;
    this.message = message;
    this.updated = Date.now();
  }

  /**
   * Asks the client, and resolves with its answer, as it came.
   *
   * @param patience milliseconds until the question counts as unanswered, from now on
   * @throws McpHostError `no_answer`
   */
  ask({ method, params }: Pick<InputAsked<unknown>, "method" | "params">, patience: number): Promise<unknown> {
    const noAnswer = (why: string) =>
      new McpHostError("no_answer", `The client was asked (${method}) and gave no answer. ${why}`);
    if (this.#outcome) return Promise.reject(noAnswer("The task is over."));
    const key = `input-${++this.#asked}`;
    const answered = Promise.withResolvers<unknown>();
    const over = new AbortController();
    let timer: Timer | undefined;
    const settle = (how: () => void) => {
      if (!this.#asks.delete(key)) return;
      timer?.stop();
      how();
      over.abort();
      this.#changed();
    };
    const ask: TaskAsk = {
      method,
      params,
      over: over.signal,
      answer: (value) => settle(() => answered.resolve(value)),
      refuse: (why) => settle(() => answered.reject(noAnswer(why))),
    };
    timer = startTimer(patience, () => ask.refuse("It did not answer."));
    this.#asks.set(key, ask);
    this.#changed();
    this.channel?.put(ask);
    return answered.promise;
  }

  /** Asks by this channel from now on, also what is open. */
  open(channel: TaskChannel): void {
    this.channel?.leave();
    this.channel = channel;
    for (const ask of this.#asks.values()) channel.put(ask);
  }

  close(channel: TaskChannel): void {
    if (this.channel === channel) this.channel = undefined;
  }

  end(outcome: TaskOutcome): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    for (const ask of this.#asks.values()) ask.refuse("The task is over.");
    this.#changed();
    this.#ended.resolve(outcome);
  }

  /** Stops the call because the client wants that. A conversation counts as cancelled. */
  cancel(fault: TaskFault): void {
    if (this.#outcome) return;
    this.#isCancelled = true;
    this.end({ error: fault });
    this.#controller.abort(new Error("The client has cancelled the task."));
  }

  /** Stops the call because its outcome will not be kept. A conversation is interrupted, as by a deadline: another call goes on there. */
  giveUp(fault: TaskFault): void {
    this.end({ error: fault });
    this.#controller.abort(new DOMException(fault.message, "TimeoutError"));
  }

  /** Answers what the task waits for. Other keys are ignored. */
  answer(answers: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(answers)) this.#asks.get(key)?.answer(value as Json);
  }

  #changed(): void {
    const before = this.#status;
    this.#status = this.#outcome ? "ended" : this.#asks.size > 0 ? "input_required" : "working";
    if (this.#status === before) return;
    this.updated = Date.now();
    this.onStatus();
  }
}
