import type { Json } from "@cogency/protocol";
import type { ShownConversation } from "../conversation/shown-conversation.ts";

/** What the views of one conversation share. */
export interface PageContext {
  readonly conversation: ShownConversation;
  /** The permalink of an event. */
  hrefOf(seq: number): string;
  /** What a person can do here; absent on a page that only shows. */
  readonly actions?: Actions;
}

/** Each resolves to whether the server has taken it. */
export interface Actions {
  approve(question: string): Promise<boolean>;
  deny(question: string, reason: string): Promise<boolean>;
  answer(question: string, content: Json): Promise<boolean>;
  /** Begins another conversation with the first events of this one. `words` are put into the box for messages. */
  fork(at: number, words?: string): Promise<boolean>;
}
