import type { Content } from "@cogency/tools";
import type { FrontMatterProblem } from "../front-matter/parse-front-matter.ts";

/** A prompt that a person calls by its name: `/name arguments`. */
export interface Command {
  /** Letters, digits, `-` and `_`, up to 64; with the folders that it is in before it: `team/fix`. */
  readonly name: string;
  /** What it does, in at most 1,024 characters. The beginning of its text if it says nothing about itself. */
  readonly description: string;
  /** What the person may write after the name, such as `[issue] [priority]`. */
  readonly argumentHint?: string | undefined;
  /** The prompt, with places for arguments. */
  readonly text: string;
  /** The calls that it asks to run without a question, such as `Bash(git diff:*)`. Whoever runs it decides whether they do. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Whether nothing may be changed while the model answers it. */
  readonly isReadOnly?: true | undefined;
  /** Fields of other agents that mean nothing here, and do no harm. */
  readonly ignored?: readonly string[] | undefined;
  /** What its text brings into a conversation. Defaults to nothing: it is the person's own. */
  readonly holds?: readonly Content[] | undefined;
}

/** What is wrong with the text or the name of a command. `name_invalid`: it cannot be typed after a slash. */
export interface CommandProblem extends Omit<FrontMatterProblem, "code"> {
  readonly code: FrontMatterProblem["code"] | "name_invalid";
}
