import type { Attachment, RunEvent } from "@cogency/protocol";
import type { PlanUpdate } from "../../person/plan/plan-tracker.ts";
import type { RemarkKind, Rows } from "../../person/turn/remark.ts";

/** What a person can choose from. */
export interface Choice {
  readonly title: string;
  readonly rows: readonly string[];
  /** The row that is marked at first. Defaults to the first one. */
  readonly at?: number;
}

/** Where a conversation is shown. Texts may hold control characters of models, tools and files: the view filters them. */
export interface ConversationView {
  /** What is pressed for what; `/help` lists it. */
  readonly keys: Rows;
  /** What the person said, once it is in the log. `from` is who said it, where that was elsewhere. */
  said(text: string, attachments: readonly Attachment[]): void;
  /** An event of a run, and what it makes of the plan. Events of an earlier run that is shown again have the step 0. */
  event(event: RunEvent, update?: PlanUpdate): void;
  remark(text: string, kind?: RemarkKind): void;
  list(rows: Rows): void;
  /** A text that the person asked for, such as the output of a call: shown whole. */
  text(text: string): void;
  /** Lets the person choose. Resolves with the index of a row; undefined for none. */
  choose(choice: Choice): Promise<number | undefined>;
  /** Shows changes as a unified diff, which begins with the names of files. */
  diff(lines: readonly string[]): void;
  /** Puts a text where the cursor is in what is typed. Returns whether there is such a place. */
  insert(text: string): boolean;
  /** Asks the terminal for the text in its clipboard. Undefined where it gives none, or cannot be asked. */
  terminalClipboard(): Promise<string | undefined>;
  /** Puts a text into the clipboard of the terminal. Returns whether it could be sent there. */
  copy(text: string): boolean;
  /** Texts that were typed, and not sent, or not kept. Nothing typed is lost: they go back to where it was typed. */
  giveBack(text: string): void;
  /** The state of the conversation has changed; see `Conversation.state`. */
  changed(): void;
  /** The agent has stopped working after so many milliseconds. */
  turnEnded(milliseconds: number): void;
  /** Whether thoughts are shown whole from now on. */
  showThinking(isShown: boolean): void;
}
