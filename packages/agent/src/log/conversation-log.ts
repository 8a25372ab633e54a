import { settlesWithin } from "@cogency/async";
import { type Assembler, createAssembler, type LogEvent, type MessageForm, type ModelMessage } from "@cogency/protocol";
import type { Shown } from "@cogency/protocol/host";
import { ConflictError, type Key, type Store, type StoredEvent } from "@cogency/storage";
import type { Content } from "@cogency/tools";
import { isStoreFailure, RunError, runErrorOf } from "../errors.ts";
import { randomId } from "../flat-text.ts";
import { askAgain } from "./ask-again.ts";
import { HeldContent } from "./held-content.ts";
import { type KnownRecords, withoutKnown } from "./known-records.ts";
import type { RunLease } from "./run-lease.ts";
import { settles } from "./settles.ts";

interface Append {
  events: readonly LogEvent[];
  /** Resolves when the events are known, if they are not yet. */
  ready?: Promise<void>;
  takes: readonly string[];
  /** Whether later appends must fail if this one does. */
  isBinding: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The log of one conversation, as its only writer sees it. It is read once; later only the events are read that were
 * appended since, because the store may have changed them (redaction). An append by another writer ends the run.
 *
 * Each method throws RunError `store`, `busy`, or `not_stored` if the store does not answer for 250 ms after the run's signal
 * has aborted.
 */
export class ConversationLog {
  readonly #store: Store;
  readonly #key: Key;
  readonly #lease: RunLease;
  readonly #signal: AbortSignal;
  readonly #scope: string | undefined;
  /** Ends the wait for the store, which waits for one request at a time. */
  #abandon: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #events: StoredEvent[] = [];
  readonly #content = new HeldContent();
  /** Each has read the loaded events. */
  readonly #assemblers = new Map<MessageForm, Assembler>();
  /** The last sequence number of the log; undefined until it is loaded. */
  #last: number | undefined;
  /** The last event: the parts of it that every store returns unchanged. */
  #end: Pick<LogEvent, "type" | "timestamp"> | undefined;
  /** What the log says already. */
  #known: KnownRecords = new Map();
  #refusal: RunError | undefined;
  /** What goes with the next append. */
  #due: Append[] = [];
  /** The appends that wait for the store. */
  #waiting: Append[] | undefined;
  /** The appends that wait for another one, while none waits for the store; `#flush` ends that. */
  #held: Append[] | undefined;
  #flush: ReturnType<typeof setTimeout> | undefined;
  /** Appends that were requested and are not over, of those whose events settle what the model writes. */
  #settling = 0;
  #queue: Promise<unknown> = Promise.resolve();

  /**
   * @param signal ends the wait for a store that hangs when it aborts
   * @param scope what a conversation that the run begins belongs to
   */
  constructor(store: Store, key: Key, lease: RunLease, signal: AbortSignal, scope?: string) {
    this.#store = store;
    this.#scope = scope;
    this.#key = key;
    this.#lease = lease;
    this.#signal = signal;
    signal.addEventListener("abort", this.#abandonSoon, { once: true });
  }

  /** Called when the run is over. Stores what `appendSoon` still holds, for at most 250 ms. Never rejects. */
  async close(): Promise<void> {
    if (this.#held) {
      this.#startHeld();
      await settlesWithin(this.#queue, abortGrace);
    }
    this.#signal.removeEventListener("abort", this.#abandonSoon);
    clearTimeout(this.#timer);
  }

  /** The last sequence number of the log, as far as the run knows; 0 before it has read or written anything. */
  get last(): number {
    return this.#last ?? 0;
  }

  /** Whether something that the model has written is on its way to the store, so that `last` is about to rise because of it. */
  get isSettling(): boolean {
    return this.#settling > 0;
  }

  /** Returns the events as the store holds them. The array grows at the next load. */
  load(): Promise<readonly StoredEvent[]> {
    this.#startHeld();
    // Appends that are requested later do not join those before the load.
    this.#waiting = undefined;
    return this.#enqueue(() => this.#load());
  }

  /** The loaded log as messages of a request, from this event on (see `Assembler`). */
  messages(form: MessageForm, from?: number, shown?: Shown): ModelMessage[] {
    const known = this.#assemblers.get(form);
    if (known) return known.messages(from, shown);
    const assembler = createAssembler({ form });
    assembler.write(this.#events);
    this.#assemblers.set(form, assembler);
    return assembler.messages(from, shown);
  }

  /** The content that the conversation holds by the loaded log. */
  content(): Content[] {
    return this.#content.held();
  }

  /**
   * Stores the events. Appends that are requested at one moment, or while the store is busy, are stored as one, in the order
   * of their requests. What the log already says is left out: a `content` record of a kind that it holds, and the system prompt
   * and tools of a `request` record that are those of its last request.
   *
   * - If the store is unavailable, the append is repeated for a moment.
   * - If the lease was lost, the run takes it again, once. The append fails if another writer appended in between, or
   *   deleted the conversation and began it anew.
   * - After an append has failed because of another writer, every later one fails too.
   *
   * @param takes the ids of the messages that leave the inbox with these events
   */
  append(events: readonly LogEvent[], takes: readonly string[] = []): Promise<void> {
    const stored = this.#request({ events, takes, isBinding: false });
    this.#startHeld();
    return stored;
  }

  /**
   * As `append`, in one append with what is requested next, or by itself if nothing is requested in this turn of the event
   * loop. If it fails, every later append fails with its error, so that the log has no gap; nobody needs to await it.
   */
  appendSoon(events: readonly LogEvent[]): Promise<void> {
    const stored = this.#request({ events, takes: [], isBinding: true });
    stored.catch(() => {});
    if (this.#held) this.#flush ??= setTimeout(() => this.#startHeld());
    return stored;
  }

  /**
   * Stores the event in the next append, before its events, and never by itself. It is left out if the log is closed before
   * that, or if the store refuses it as invalid. The event must not reject.
   */
  appendWithNext(event: Promise<LogEvent>): void {
    const append: Append = { events: [], takes: [], isBinding: false, resolve: ignore, reject: ignore };
    append.ready = event.then((made) => {
      append.events = [made];
    });
    this.#due.push(append);
  }

  /** Adds the events to the appends that wait for the store, or to those that are held. */
  #request(asked: Pick<Append, "events" | "takes" | "isBinding">): Promise<void> {
    if (asked.events.length === 0) return Promise.resolve();
    const settling = Number(asked.events.some(settles));
    this.#settling += settling;
    return new Promise((goOn, fail) => {
      const resolve = () => {
        this.#settling -= settling;
        goOn();
      };
      const reject = (error: unknown) => {
        this.#settling -= settling;
        fail(error);
      };
      const appends = [...this.#due, { ...asked, resolve, reject }];
      this.#due = [];
      const group = this.#waiting ?? this.#held;
      if (group) group.push(...appends);
      else this.#held = appends;
    });
  }

  /** Lets the held appends wait for the store. */
  #startHeld(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    const group = this.#held;
    if (!group) return;
    this.#held = undefined;
    this.#waiting = group;
    this.#enqueue(async () => {
      for (const { ready } of group) if (ready) await ready;
      if (this.#waiting === group) this.#waiting = undefined;
      await this.#storeAll(group);
    }).catch(() => {});
  }

  /**
   * Takes the lost lease again, unless an append has done so.
   *
   * @throws RunError `busy`, `store` if that fails, or if another writer appended meanwhile
   */
  regain(): Promise<void> {
    const lost = this.#lease.current;
    return this.#enqueue(() =>
      this.#inTime(async () => {
        if (this.#lease.current !== lost) return;
        await this.#lease.take();
        if (this.#last === undefined) return;
        const [newer] = await askAgain(() => this.#store.load(this.#key, { after: this.#last, limit: 1 }));
        if (newer || (await this.#isAnother())) throw new ConflictError(this.#last, newer?.seq ?? 0);
      }),
    );
  }

  async #load(): Promise<readonly StoredEvent[]> {
    const after = this.#events.at(-1)?.seq ?? 0;
    if (this.#last === after && after > 0) return this.#events;
    const loaded = await this.#inTime(() => askAgain(() => this.#store.load(this.#key, after > 0 ? { after } : {})));
    for (const event of loaded) this.#content.add(event);
    this.#known = withoutKnown(loaded, this.#known).known;
    for (const assembler of this.#assemblers.values()) assembler.write(loaded);
    for (const event of loaded) this.#events.push(event);
    if (this.#last === undefined) {
      const latest = loaded.at(-1);
      this.#last = latest?.seq ?? 0;
      this.#end = latest;
    }
    return this.#events;
  }

  /** Stores the appends as one. If an event is invalid, each is stored by itself, so that only its own append fails. */
  async #storeAll(appends: readonly Append[]): Promise<void> {
    try {
      await this.#write(
        appends.flatMap(({ events }) => events),
        appends.flatMap(({ takes }) => takes),
      );
      for (const { resolve } of appends) resolve();
    } catch (error) {
      const failure = this.#noted(error);
      const isShared = appends.length > 1 && isStoreFailure(failure.cause, "invalid_event");
      for (const append of appends) {
        if (isShared) {
          await this.#storeAll([append]);
          continue;
        }
        if (append.isBinding) this.#refusal ??= failure;
        append.reject(failure);
      }
    }
  }

  async #write(given: readonly LogEvent[], takes: readonly string[]): Promise<void> {
    // Checked now, not when the append was requested: earlier appends count.
    const { events, known } = withoutKnown(given, this.#known);
    if (events.length === 0) return;
    if (this.#refusal) throw this.#refusal;
    const id = randomId();
    const attempt = async () => {
      const { current: lease } = this.#lease;
      const options = {
        expected: this.#last,
        lease,
        batch: id,
        scope: this.#scope,
        ...(takes.length > 0 && { takes }),
      };
      this.#last = await askAgain(() => this.#store.append(this.#key, events, options));
    };
    await this.#inTime(async () => {
      try {
        await attempt();
      } catch (error) {
        if (!isStoreFailure(error, "lease_lost")) throw error;
        await this.#lease.take();
        if (await this.#isAnother()) throw error;
        await attempt();
      }
    });
    this.#end = events.at(-1);
    this.#known = known;
  }

  /** Whether another log has taken the place of this one: a log that was deleted and begun anew may have as many events. */
  async #isAnother(): Promise<boolean> {
    if (!this.#last || !this.#end) return false;
    const after = this.#last - 1;
    const [found] = await askAgain(() => this.#store.load(this.#key, { after }));
    return found !== undefined && (found.type !== this.#end.type || found.timestamp !== this.#end.timestamp);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work).catch((error) => {
      throw this.#noted(error);
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  /** The error of a run. Notes one that another writer caused, because every later append has to fail with it. */
  #noted(error: unknown): RunError {
    const failure = runErrorOf(error, "store");
    if (refusals.some((code) => isStoreFailure(failure.cause, code))) this.#refusal = failure;
    return failure;
  }

  /** @throws RunError `not_stored` 250 ms after the signal has aborted */
  #inTime<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(this.#timer);
        this.#abandon = undefined;
      };
      this.#abandon = () => {
        done();
        // Whether the store keeps what it was asked to keep is unknown, so nothing may follow it.
        this.#refusal ??= new RunError("not_stored", hangs);
        reject(this.#refusal);
      };
      if (this.#signal.aborted) this.#abandonSoon();
      work().finally(done).then(resolve, reject);
    });
  }

  readonly #abandonSoon = (): void => {
    if (this.#abandon) this.#timer = setTimeout(this.#abandon, abortGrace);
  };
}

/** Milliseconds that a store may take to answer after the run's signal has aborted. */
const abortGrace = 250;

const hangs = "The store did not answer after the run was aborted: the log may lack its last events.";

/** Errors that another writer caused. */
const refusals = ["lease_held", "lease_lost", "conflict"] as const;

function ignore(): void {}
