import { ClientError, isPassing } from "../client-error.ts";
import type { Message, WaitingMessage } from "../conversation.ts";
import type { Requests } from "../http/requests.ts";
import { backoff } from "../stream/backoff.ts";

interface Settled {
  promise: Promise<void>;
  resolve(): void;
  reject(error: ClientError): void;
}

interface Entry {
  message: WaitingMessage;
  /** The same text in each try: the server takes the same message under the same id for one. */
  readonly body: string;
  readonly settled: Settled;
  /** Ends the request, and the pause before the next one. */
  giveUp: AbortController;
}

/** A message as the server lists it. */
export type FoundMessage = Message & { readonly id: string; readonly from?: string; readonly postedAt?: number };

const kinds: ReadonlySet<string> = new Set(["prompt", "steer", "approve", "deny", "answer", "cancel"]);

/**
 * The messages of one conversation that no run has read yet. They are posted one after another, in their order, and again until the server
 * has them.
 */
export class Outbox {
  readonly #requests: Requests;
  readonly #path: string;
  readonly #onChange: () => void;
  #entries: readonly Entry[] = [];
  #messages: readonly WaitingMessage[] | undefined;
  #lanes = new Set<"cancel" | "others">();
  #wakes = new Set<() => void>();

  /** @param path where messages are posted */
  constructor(requests: Requests, path: string, onChange: () => void) {
    this.#requests = requests;
    this.#path = path;
    this.#onChange = onChange;
  }

  /** The same list until something changes. */
  get messages(): readonly WaitingMessage[] {
    this.#messages ??= this.#entries.map(({ message }) => message);
    return this.#messages;
  }

  post(id: string, message: Message): Promise<void> {
    const known = this.#find(id);
    if (known) return known.settled.promise;
    const entry = this.#entryOf(id, message, "sending");
    this.#set([...this.#entries, entry]);
    this.#work(entry);
    return entry.settled.promise;
  }

  retry(id: string): boolean {
    const entry = this.#find(id);
    if (entry?.message.state !== "failed") return false;
    const { error, ...message } = entry.message;
    this.#set([...this.#entries.filter((one) => one !== entry)]);
    const again = this.#entryOf(id, message, "sending", entry.body);
    this.#set([...this.#entries, again]);
    this.#work(again);
    return true;
  }

  discard(id: string): boolean {
    const entry = this.#find(id);
    if (!entry || entry.message.state === "sent") return false;
    this.#set(this.#entries.filter((one) => one !== entry));
    entry.giveUp.abort();
    entry.settled.reject(new ClientError("discarded", "The message was discarded before the server took it."));
    return true;
  }

  /** Runs have read the messages of these ids: the server has them, whatever became of the answers to our posts. */
  take(ids: ReadonlySet<string>): void {
    const taken = this.#entries.filter(({ message }) => ids.has(message.id));
    if (taken.length === 0) return;
    this.#set(this.#entries.filter((entry) => !taken.includes(entry)));
    for (const entry of taken) {
      entry.giveUp.abort();
      entry.settled.resolve();
    }
  }

  /** Messages that wait on the server, of which this page may not know. */
  find(messages: readonly FoundMessage[], taken: ReadonlySet<string>): void {
    for (const { id } of messages) {
      const entry = this.#find(id);
      if (entry) this.#sent(entry);
    }
    const news = messages.filter(({ id, kind }) => kinds.has(kind) && !taken.has(id) && !this.#find(id));
    if (news.length === 0) return;
    const found = news.map(({ id, from: _, postedAt: __, ...message }) =>
      this.#entryOf(id, message as Message, "sent"),
    );
    this.#set([...found, ...this.#entries]);
  }

  /** The conversation was deleted, with the messages that its server had. */
  forget(): void {
    this.#set(this.#entries.filter(({ message }) => message.state !== "sent"));
  }

  /** The network may be back: tries again now what waits for it. */
  wake(): void {
    for (const wake of [...this.#wakes]) wake();
  }

  #entryOf(id: string, message: Message, state: "sending" | "sent", body?: string): Entry {
    const settled = {} as Settled;
    settled.promise = new Promise((resolve, reject) => Object.assign(settled, { resolve, reject }));
    // Who does not listen sees it in the list.
    settled.promise.catch(() => {});
    return {
      message: { ...message, id, state },
      body: body ?? JSON.stringify({ id, ...message }),
      settled,
      giveUp: new AbortController(),
    };
  }

  #find(id: string): Entry | undefined {
    return this.#entries.find(({ message }) => message.id === id);
  }

  #set(entries: readonly Entry[]): void {
    this.#entries = entries;
    this.#messages = undefined;
    this.#onChange();
  }

  #change(entry: Entry, message: WaitingMessage): void {
    if (!this.#entries.includes(entry)) return;
    entry.message = message;
    this.#set([...this.#entries]);
  }

  #sent(entry: Entry): void {
    if (entry.message.state === "sent") return;
    const { error, ...message } = entry.message;
    this.#change(entry, { ...message, state: "sent" });
    entry.giveUp.abort();
    entry.settled.resolve();
  }

  /** Posts what waits in the lane of the message. To cancel a run does not wait for words. */
  async #work({ message }: Entry): Promise<void> {
    const lane = message.kind === "cancel" ? "cancel" : "others";
    if (this.#lanes.has(lane)) return;
    this.#lanes.add(lane);
    const isNext = ({ message: { kind, state } }: Entry) =>
      state === "sending" && (kind === "cancel") === (lane === "cancel");
    for (let entry = this.#entries.find(isNext); entry; entry = this.#entries.find(isNext)) await this.#post(entry);
    this.#lanes.delete(lane);
  }

  /** Tries until the message is not `sending` any more. Never rejects. */
  async #post(entry: Entry): Promise<void> {
    const { signal } = entry.giveUp;
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        await this.#requests.json(this.#path, { method: "POST", body: entry.body, signal });
        return this.#sent(entry);
      } catch (error) {
        if (signal.aborted) return;
        const problem = error as ClientError;
        const { status, retryAfter = 0 } = problem;
        const isHopeless =
          !isPassing(problem) || retryAfter > longestWait || (status >= 500 && failures >= mostFailures);
        if (isHopeless) {
          this.#change(entry, { ...entry.message, state: "failed", error: problem });
          return entry.settled.reject(problem);
        }
        await this.#pause(Math.max(backoff(failures, 500), retryAfter), signal);
      }
    }
  }

  #pause(time: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakes.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, time);
      this.#wakes.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}

/** How often a server may fail with a message before a person is asked. It takes about a minute. */
const mostFailures = 8;

/** The most milliseconds that a server may make a message wait, before a person is asked. */
const longestWait = 60_000;
