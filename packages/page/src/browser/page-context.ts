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
  /** The id of the element of an event. Differs where one conversation is shown within another. */
  idOf(seq: number): string;
  /** The conversations of agents that calls have started; absent where the page has none of them. */
  readonly agents?: AgentConversations;
  /** What a person can do here; absent on a page that only shows. */
  readonly actions?: Actions | undefined;
}

export interface AgentConversations {
  /** Those whose steps a person looks at: the call that holds them is drawn anew when it changes. */
  readonly open: Set<string>;
  /** Where a conversation is shown alone; undefined if the page cannot show it so. */
  hrefOf(conversation: string): string | undefined;
  /** The steps of an agent, within those of its caller. The same element each time; undefined if the page does not have them. */
  stepsOf(conversation: string): HTMLElement | undefined;
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
  /** Names the point after the first `at` events; with `at` 0 the name is taken back. */
  name(name: string, at: number): Promise<boolean>;
}
