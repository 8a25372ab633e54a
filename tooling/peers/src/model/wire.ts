import type { Conversation } from "./conversation.ts";
import type { Reply } from "./reply.ts";

/** One way in which programs and models speak over HTTP. */
export interface Wire {
  /** What the path of a request ends with. */
  readonly path: string;
  read(body: Record<string, unknown>): Conversation;
  /** The server-sent events of a reply. The identity differs from reply to reply. */
  write(reply: Reply, identity: string): AsyncIterable<WireEvent>;
}

/** The JSON of a server-sent event, or a bare word in its place. */
export type WireEvent = Record<string, unknown> | string;
