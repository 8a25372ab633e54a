import { startTimer } from "@cogency/async";
import type { ConversationSummary, Store } from "@cogency/storage";
import { newestConversations } from "../conversation/newest-conversations.ts";

/** What has changed in a list of conversations. */
export interface ListChange {
  readonly changed: readonly ConversationSummary[];
  /** The names of those that were deleted. */
  readonly removed: readonly string[];
}

/** The newest conversations of one user, looked at for all who read the list. */
export class Look {
  readonly #store: Pick<Store, "conversations" | "load">;
  readonly #user: string | undefined;
  readonly #readers = new Set<() => void>();
  #summaries: readonly ConversationSummary[] | undefined;
  /** The last changes, the newest last. */
  #changes: { readonly version: number; readonly change: ListChange }[] = [];
  #version = 0;
  #failure: { error: unknown } | undefined;
  #timer: { stop(): void } | undefined;
  #isLooking = false;
  #isStale = false;

  constructor(store: Pick<Store, "conversations" | "load">, user: string | undefined) {
    this.#store = store;
    this.#user = user;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** @param wake called after each change, and when the store has failed */
  join(wake: () => void): void {
    this.#readers.add(wake);
    if (this.#readers.size === 1) this.lookNow();
  }

  leave(wake: () => void): void {
    this.#readers.delete(wake);
    if (this.#readers.size === 0) this.#timer?.stop();
  }

  /**
   * What a reader of a version is to be sent; undefined if nothing is new.
   *
   * @throws what the store has thrown
   */
  since(version: number): { version: number; news: ListChange | readonly ConversationSummary[] } | undefined {
    if (this.#failure) throw this.#failure.error;
    if (!this.#summaries || version === this.#version) return undefined;
    const missed = this.#changes.filter((one) => one.version > version);
    // A reader at the beginning, or one that has missed more than is kept.
    if (version === 0 || missed.length < this.#version - version)
      return { version: this.#version, news: this.#summaries };
    return { version: this.#version, news: joined(missed.map(({ change }) => change)) };
  }

  /** Looks at once, or once more if a look is under way: it may have read what was before. */
  lookNow(): void {
    this.#timer?.stop();
    if (this.#isLooking) this.#isStale = true;
    else void this.#look();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      do {
        this.#isStale = false;
        await this.#compare();
      } while (this.#isStale);
    } catch (error) {
      this.#failure = { error };
      this.#wake();
      return;
    } finally {
      this.#isLooking = false;
    }
    if (this.#readers.size > 0) this.#timer = startTimer(pause, () => this.lookNow());
  }

  async #compare(): Promise<void> {
    const before = this.#summaries;
    const now = await newestConversations(this.#store, { user: this.#user, limit: mostListed });
    const known = new Map(before?.map((summary) => [summary.conversation, JSON.stringify(summary)]));
    const changed = now.filter((summary) => known.get(summary.conversation) !== JSON.stringify(summary));
    for (const { conversation } of now) known.delete(conversation);
    const removed = await this.#deleted([...known.keys()], now.length === mostListed);
    this.#summaries = now;
    if (before && changed.length + removed.length === 0) return;
    this.#version++;
    this.#changes = [...this.#changes, { version: this.#version, change: { changed, removed } }].slice(-mostChanges);
    this.#wake();
  }

  /** Those of the conversations that were deleted. Others may have left a full list because newer ones came. */
  async #deleted(gone: readonly string[], isFull: boolean): Promise<string[]> {
    if (!isFull) return [...gone];
    const deleted: string[] = [];
    for (const conversation of gone) {
      const last = await this.#store.load({ conversation, user: this.#user }, { last: 1 });
      if (last.length === 0) deleted.push(conversation);
    }
    return deleted;
  }

  #wake(): void {
    for (const wake of [...this.#readers]) wake();
  }
}

/** Several changes as one: of each conversation the last one counts. */
function joined(changes: readonly ListChange[]): ListChange {
  const changed = new Map<string, ConversationSummary>();
  const removed = new Set<string>();
  for (const change of changes) {
    for (const conversation of change.removed) {
      changed.delete(conversation);
      removed.add(conversation);
    }
    for (const summary of change.changed) {
      removed.delete(summary.conversation);
      changed.set(summary.conversation, summary);
    }
  }
  return { changed: [...changed.values()], removed: [...removed] };
}

/** Milliseconds between the end of a look and the next one. */
const pause = 1000;

const mostListed = 100;

/** Changes that are kept for readers that lag behind; who has missed more gets the whole list. */
const mostChanges = 20;
