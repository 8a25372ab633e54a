import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { type Change, type ConversationItems, readItems, shownItem, type TurnEnding } from "@cogency/server/bridge";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import type { Wire } from "../connection/wire.ts";
import type { SessionUpdates } from "../out/session-updates.ts";

interface Followed {
  store: Pick<Store, "follow" | "live">;
  key: Key;
  updates: SessionUpdates;
  wire: Pick<Wire, "update">;
  /** The number of the last event that was there before. */
  before: number;
  /** What was there before is not told. */
  isSilent: boolean;
  /** Hears of everything, in order. */
  onChanges(changes: readonly Change[], event: StoredEvent | undefined): void;
  onError(error: unknown): void;
}

/** Reads a conversation from its first event on for as long as the session is open, and tells the editor what comes. The only way out. */
export class Follower {
  readonly #followed: Followed;
  readonly #items: ConversationItems;
  readonly #waiting = new Set<{ seq: number; resolve(): void }>();
  #seen = 0;
  #isEnded = false;
  /** The last update is on its way. */
  #told: Promise<void> = Promise.resolve();
  readonly #done: Promise<void>;

  constructor(followed: Followed) {
    this.#followed = followed;
    this.#items = readItems(followed, 0);
    this.#done = this.#follow();
  }

  /** Resolves when all events up to this number were told, or none comes any more. */
  async until(seq: number): Promise<void> {
    if (this.#seen < seq && !this.#isEnded) await new Promise<void>((resolve) => this.#waiting.add({ seq, resolve }));
    await this.#told;
  }

  /** A turn is over: closes what is open of it. Resolves when that was told. */
  async end(ending: TurnEnding): Promise<void> {
    const { updates, changes } = this.#followed.updates.read({ type: "over", ending });
    this.#followed.onChanges(changes, undefined);
    for (const update of updates) this.#tell(update);
    await this.#told;
  }

  async close(): Promise<void> {
    await this.#items.return();
    await this.#done;
  }

  async #follow(): Promise<void> {
    try {
      for await (const item of this.#items) {
        this.#read(item);
        // An editor that reads slowly is told slowly.
        await this.#told;
        if (item.type === "event") this.#see(item.event.seq);
      }
    } catch (error) {
      this.#followed.onError(error);
    } finally {
      this.#isEnded = true;
      this.#see(Number.POSITIVE_INFINITY);
    }
  }

  #read(item: Awaited<ReturnType<ConversationItems["next"]>>["value"] & object): void {
    const { updates, before, isSilent, onChanges } = this.#followed;
    const shown = shownItem(item, everything);
    const raw = item.type === "event" ? item.event : undefined;
    const read = shown ? updates.read(shown, raw) : { changes: [], updates: raw ? updates.readRecord(raw) : [] };
    onChanges(read.changes, raw);
    const isPast = raw !== undefined && raw.seq <= before;
    for (const update of read.updates) if (!isPast || (!isSilent && isHistory(update))) this.#tell(update);
    if (isSilent && raw?.seq === before) updates.forgetTold();
  }

  #tell(update: Parameters<Wire["update"]>[0]): void {
    const sent = this.#followed.wire.update(update);
    this.#told = this.#told.then(() => sent);
  }

  #see(seq: number): void {
    this.#seen = Math.max(this.#seen, seq);
    for (const one of this.#waiting) {
      if (one.seq > this.#seen) continue;
      this.#waiting.delete(one);
      one.resolve();
    }
  }
}

/** A notice is for the moment in which it comes. */
function isHistory({ sessionUpdate }: SessionUpdate): boolean {
  return sessionUpdate !== "notice";
}

/** Whoever has the editor has the machine, too. */
const everything: ReadonlySet<string> = new Set(["thinking"]);
