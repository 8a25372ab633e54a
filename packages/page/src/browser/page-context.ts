import type { Json } from "@cogency/protocol";
import type { ShownConversation } from "../conversation/shown-conversation.ts";

/** What the server knows of a question beside the log. It has worked that out for the call that will run. */
export interface QuestionDetails {
  /** Such as the commands of a script. */
  readonly facts: readonly { readonly name: string; readonly lines: readonly string[] }[];
  /** The rules that a person may choose instead of a single yes, and the file where each is kept. */
  readonly rules: readonly { readonly text: string; readonly file: string }[];
}

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
  /** What the server adds to a question. Rejects with an Error for the person if it cannot be read. */
  about(question: string): Promise<QuestionDetails>;
  /** @param rule the text of a rule that `about` offers: it is kept, and further calls that it names are not asked about */
  approve(question: string, rule?: string): Promise<boolean>;
  deny(question: string, reason: string): Promise<boolean>;
  answer(question: string, content: Json): Promise<boolean>;
  /** Begins another conversation with the first events of this one. `words` are put into the box for messages. */
  fork(at: number, words?: string): Promise<boolean>;
}
