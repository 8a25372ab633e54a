import { createSlots } from "@cogency/async";
import type { Key, MessageContent, StoredMessage } from "@cogency/storage";
import type { PostedMessage } from "../body/read-message.ts";
import type { LimitOptions } from "../limit-options.ts";
import { Problem, type ProblemCode } from "../problem.ts";
import { Places } from "./places.ts";
import { Rate } from "./rate.ts";

/** Refuses what is over the limits of a user. */
export class Limits {
  readonly #requests: Rate;
  readonly #conversations: Rate;
  readonly #streams: Places;
  readonly #waiting: number;
  readonly #countsConversations: boolean;
  /** Each post reads a whole inbox. */
  readonly #posting = createSlots(16);

  constructor({ requests = 600, streams = 20, waiting = 50, conversations = Number.POSITIVE_INFINITY }: LimitOptions) {
    this.#requests = new Rate(requests, 60_000);
    this.#conversations = new Rate(conversations, 3_600_000);
    this.#streams = new Places(streams);
    this.#waiting = waiting;
    this.#countsConversations = conversations < Number.POSITIVE_INFINITY;
  }

  /** @throws Problem `too_many_requests` */
  countRequest(user: string | undefined): void {
    const delay = this.#requests.use(user);
    if (delay > 0) throw refusal("too_many_requests", "Too many requests.", delay);
  }

  /** @throws Problem `too_many_conversations` */
  countConversation(user: string | undefined): void {
    const delay = this.#conversations.use(user);
    if (delay > 0)
      throw refusal("too_many_conversations", "Too many conversations were begun in the last hour.", delay);
  }

  /**
   * @returns what ends the count of this stream
   * @throws Problem `too_many_streams`
   */
  openStream(user: string | undefined): () => void {
    const close = this.#streams.take(user);
    if (!close) throw refusal("too_many_streams", "Too many streams of events are open. Close another page.", soon);
    return close;
  }

  /**
   * Posts a message if its inbox has room, and if its user may begin the conversation that it begins.
   *
   * @throws Problem `too_many_messages`, `too_many_conversations`; what the store and `post` throw
   */
  async post(message: PostedMessage, key: Key, store: Inbox, post: () => Promise<unknown>): Promise<void> {
    await this.#posting.run(async () => {
      await this.#check(message, key, store);
      await post();
    });
  }

  async #check(posted: PostedMessage, key: Key, store: Inbox): Promise<void> {
    if (this.#waiting === Number.POSITIVE_INFINITY && !this.#countsConversations) return;
    const inbox = await store.inbox(key);
    // Posted again, because its sender does not know that it arrived.
    if (inbox.some(({ id }) => id === posted.id)) return;
    const group = groupOf(posted.content);
    const alike = inbox.filter(({ message }) => groupOf(message) === group);
    if (alike.length >= (group === "notices" ? Math.max(this.#waiting, mostNotices) : this.#waiting))
      throw refusal("too_many_messages", "Too many messages wait in this conversation.", soon);
    if (!this.#countsConversations || inbox.length > 0) return;
    const isBegun = (await store.load(key, { last: 1 })).length > 0;
    if (!isBegun) this.countConversation(key.user);
  }
}

interface Inbox {
  inbox(key: Key): Promise<readonly StoredMessage[]>;
  load(key: Key, options: { last: number }): Promise<readonly unknown[]>;
}

/** Messages that share room in an inbox: none of another group can fill it. */
function groupOf({ kind }: MessageContent): "words" | "notices" | "others" {
  if (kind === "prompt" || kind === "steer") return "words";
  return kind === "notice" ? "notices" : "others";
}

/** So many notices may wait in one conversation: a run reads them as one. */
const mostNotices = 1000;

/** Milliseconds until a sender may try again, where no number says it. */
const soon = 5000;

function refusal(code: ProblemCode, message: string, delay: number): Problem {
  const seconds = Math.ceil(delay / 1000);
  return new Problem(code, `${message} Try again in ${seconds} s.`, { headers: { "retry-after": `${seconds}` } });
}
