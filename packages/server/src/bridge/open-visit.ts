import type { Agent } from "@cogency/agent";
import type { Key, StoredEvent } from "@cogency/storage";
import type { Sender } from "../access/sender.ts";
import { checkedName } from "../body/conversation-name.ts";
import { readJson } from "../body/read-json.ts";
import { type ConversationState, stateOf } from "../conversation/conversation-state.ts";
import { copiedEvents } from "../conversation/copied-events.ts";
import type { DoorSettings, Visitor } from "../door/door.ts";
import { eventResponse, eventStream } from "../stream/event-stream.ts";
import { shownEvent } from "../view/shown-event.ts";
import type { BridgeStore, PostedByBridge, Visit } from "./bridge.ts";
import { postMessages } from "./post-messages.ts";
import { readTurn } from "./read-turn.ts";
import type { Recoveries } from "./recoveries.ts";
import { framesOf } from "./texts.ts";
import type { TurnItem } from "./turn-item.ts";

export interface VisitParts extends DoorSettings {
  agent: Pick<Agent, "send" | "recover">;
  store: BridgeStore;
  recoveries: Recoveries;
}

export class OpenVisit implements Visit {
  readonly request: Request;
  readonly url: URL;
  readonly path: string;
  readonly sender: Sender;
  readonly #parts: VisitParts;
  /** Aborts when nobody reads the response any more. */
  readonly #leaving = new AbortController();

  constructor(parts: VisitParts, { request, url, path, sender }: Visitor) {
    this.#parts = parts;
    this.request = request;
    this.url = url;
    this.path = path;
    this.sender = sender;
  }

  readJson(): Promise<Readonly<Record<string, unknown>>> {
    return readJson({ ...this.#parts, request: this.request });
  }

  keyOf(conversation: string): Key {
    return { conversation: checkedName(conversation), user: this.sender.user };
  }

  async post(key: Key, messages: readonly PostedByBridge[]): Promise<void> {
    const { recoveries } = this.#parts;
    let posted = 0;
    try {
      await postMessages(this.#parts, { key, messages, from: this.sender.from }, () => posted++);
    } finally {
      if (posted > 0) recoveries.begin(key, this.#onError);
    }
  }

  countConversation(): void {
    this.#parts.limits.countConversation(this.sender.user);
  }

  turn(key: Key, options: { after: number; ids?: readonly string[] }): AsyncIterable<TurnItem> {
    const { store, recoveries } = this.#parts;
    const leaving = AbortSignal.any([this.request.signal, this.#leaving.signal]);
    return readTurn({ store, key, recoveries, scopes: this.sender.scopes, leaving, onError: this.#onError }, options);
  }

  async read(key: Key): Promise<{ events: readonly StoredEvent[]; state: ConversationState; last: number }> {
    const { store } = this.#parts;
    const inbox = await store.inbox(key);
    const log = await store.load(key);
    const seesThinking = this.sender.scopes.has("thinking");
    return {
      events: log.flatMap((event) => shownEvent(event, seesThinking) ?? []),
      state: stateOf(log, inbox, await copiedEvents(store, key)),
      last: log.at(-1)?.seq ?? 0,
    };
  }

  stream(events: AsyncIterable<string>, headers: Readonly<Record<string, string>> = {}): Response {
    const { limits, streamTime, keepAlive } = this.#parts;
    const close = limits.openStream(this.sender.user);
    const onEnd = () => {
      this.#leaving.abort();
      close();
    };
    const body = eventStream({
      open: () => framesOf(events),
      at: 0,
      reopens: false,
      time: streamTime,
      keepAlive,
      onEnd,
      signal: this.request.signal,
      onError: this.#onError,
    });
    return eventResponse(body, headers);
  }

  readonly #onError = (error: unknown): void => this.#parts.onError(error, this.request);
}
