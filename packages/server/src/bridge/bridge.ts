import type { Agent } from "@cogency/agent";
import type { Key, MessageContent, Store, StoredEvent } from "@cogency/storage";
import type { Sender } from "../access/sender.ts";
import type { ConversationState } from "../conversation/conversation-state.ts";
import type { DoorOptions } from "../door/door-options.ts";
import type { Problem } from "../problem.ts";
import type { TurnItem } from "./turn-item.ts";

/** The options that every bridge has. They mean what they mean for `createHandler`. */
export interface BridgeOptions extends DoorOptions {
  /** The store of the agent. */
  store: BridgeStore;
  /** Signs and posts the messages, and goes on with the conversations that they are for. */
  agent: Pick<Agent, "send" | "recover">;
}

/** What bridges to other wires have in common: who asks, what they may do, how their words reach a run, and what comes of it. */
export interface Bridge {
  /** Answers a request. Never rejects: what `answer` throws becomes a problem, which `refuse` writes in the words of the wire. */
  handle(
    request: Request,
    answer: (visit: Visit) => Promise<Response>,
    refuse: (problem: Problem) => Response,
  ): Promise<Response>;
}

/** A request whose sender is known and within the limits. */
export interface Visit {
  readonly request: Request;
  readonly url: URL;
  /** The path behind the prefix. */
  readonly path: string;
  readonly sender: Sender;
  /**
   * Reads a body of JSON that is an object.
   *
   * @throws Problem `unsupported_type`, `too_large`, `timeout`, `invalid_request`
   */
  readJson(): Promise<Readonly<Record<string, unknown>>>;
  /** @throws Problem `invalid_request` for a name that no conversation can have */
  keyOf(conversation: string): Key;
  /**
   * Posts messages, in order, each once for its id, and goes on with the conversation in this process unless a run or a worker does
   * elsewhere. Resolves when they are stored, and does not wait for the run.
   *
   * @throws Problem for a limit, a message that cannot be, and an id that belongs to another message
   */
  post(key: Key, messages: readonly PostedByBridge[]): Promise<void>;
  /**
   * What comes of a turn: the events after `after` and what is being written, until the messages of these ids have been read and nothing
   * more comes by itself; without ids, until nothing more comes by itself. While it is read, it goes on with a conversation whose run has died.
   * Leaving the iteration ends no run.
   */
  turn(key: Key, options: { after: number; ids?: readonly string[] }): AsyncIterable<TurnItem>;
  /**
   * Counts a conversation that the bridge begins otherwise than by a message: as a fork, or with a history.
   *
   * @throws Problem `too_many_conversations`
   */
  countConversation(): void;
  /** All of the conversation that the sender may see, and what it does; no events and `idle` if it does not exist. */
  read(key: Key): Promise<{ events: readonly StoredEvent[]; state: ConversationState; last: number }>;
  /**
   * A response whose body is a stream of server-sent events: each text is one, with its empty line. Read as slowly as the client takes
   * it; a comment stands where nothing came for `keepAlive`; it counts as an open stream of its user. When the client has left, `events` is left.
   *
   * @throws Problem `too_many_streams`
   */
  stream(events: AsyncIterable<string>, headers?: Readonly<Record<string, string>>): Response;
}

export interface PostedByBridge {
  /** 1 to 128 visible ASCII characters, unique in the conversation. */
  readonly id: string;
  readonly content: MessageContent;
}

/** What a bridge reads of a store. */
export type BridgeStore = Pick<Store, "load" | "follow" | "live" | "inbox">;
