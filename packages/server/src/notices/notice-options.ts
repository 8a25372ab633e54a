import { callback, type OptionTable, required } from "@cogency/protocol/options";
import type { anonymousUser } from "../user.ts";

/** Lets programs outside, such as webhooks, say something to conversations. */
export interface NoticeOptions {
  /**
   * Says who posts a notice, by a signature for instance. `body` is the text of the request, of at most `maxBodyBytes`; signatures are
   * made over it. Undefined refuses the request with 401. What it throws refuses it, too: a `Problem` with its status, anything else
   * with 500.
   */
  authenticate: (request: Request, body: string) => NoticeCaller | undefined | Promise<NoticeCaller | undefined>;
}

/** A program outside that says something to a conversation. */
export interface NoticeCaller {
  /** Whose conversation it is. */
  user: string | typeof anonymousUser;
  /** Who says it, as the model and the log have it: one line of 1 to 100 characters without control characters, such as `github`. */
  source: string;
  /** What the text is. `"nothing"`: the host vouches for every word. Defaults to `"untrusted"`. */
  holds?: "untrusted" | "private" | "nothing" | undefined;
  /** The words for the model. Defaults to `content` of a body of JSON. */
  content?: string | undefined;
  /** Makes a retry safe. Defaults to the header `Idempotency-Key`, then to `id` of a body of JSON. */
  id?: string | undefined;
  /** Of notices of one topic that wait, the model reads the last one. Defaults to `topic` of a body of JSON, then to none. */
  topic?: string | undefined;
  /** Whether the notice begins a turn of an idle conversation. Defaults to `wakes` of a body of JSON, then to `true`. */
  wakes?: boolean | undefined;
}

export const noticeTable = { authenticate: required(callback) } satisfies OptionTable<NoticeOptions>;
