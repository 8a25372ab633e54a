import type { Agent } from "@cogency/agent";
import type { Store } from "@cogency/storage";
import type { LimitOptions } from "./limit-options.ts";
import type { NoticeOptions } from "./notices/notice-options.ts";
import type { Questions } from "./questions.ts";
import type { Authenticate } from "./user.ts";

export interface HandlerOptions {
  /** Signs and posts the messages, and makes forks. */
  agent: Pick<Agent, "send" | "fork">;
  /** The store of the agent. */
  store: Pick<Store, "conversations" | "load" | "follow" | "live" | "inbox" | "append" | "delete">;
  /** Says who sends a request. For a server of one person without accounts: `() => ({ id: anonymousUser })`. */
  authenticate: Authenticate;
  /**
   * The origins whose pages may ask besides those of the server itself, such as `https://app.example`. Such a page may do all that its
   * user may, also with the user's cookies. Behind a proxy that changes `Host`, name the origin that browsers see. Defaults to none.
   */
  origins?: readonly string[] | undefined;
  /** What one user may do. */
  limits?: LimitOptions | undefined;
  /** What the host adds to questions for approval: facts to read, and rules to choose. Defaults to nothing. */
  questions?: Questions | undefined;
  /** Lets programs outside, such as webhooks, post notices. Without it, they cannot. */
  notices?: NoticeOptions | undefined;
  /** What stands before the addresses, such as `/api`. Defaults to nothing. */
  prefix?: string | undefined;
  /** Bytes that the body of a request may have. Defaults to 1 MiB. */
  maxBodyBytes?: number | undefined;
  /** Milliseconds in which the whole body must come. Defaults to 10,000. */
  bodyTimeout?: number | undefined;
  /**
   * Milliseconds after which a stream of events ends. Its reader connects again, misses nothing, and is authenticated again: so this is
   * how long somebody reads who has signed out. Defaults to an hour.
   */
  streamTime?: number | undefined;
  /** Milliseconds without an event after which a stream of events gets a comment, so that no proxy closes it. Defaults to 15,000. */
  keepAlive?: number | undefined;
  /**
   * Hears what made a response a 500 or 503, or broke a stream of events; what it throws is ignored. A request has cookies and
   * keys in its headers, so the default prints only the method and the error, with `console.error`.
   */
  onError?: ((error: unknown, request: Request) => void) | undefined;
}
