import type { Conversation, NamedCommand } from "../conversation/conversation.ts";

/** What can be typed after a slash. */
export interface SlashCommand extends NamedCommand {
  readonly name: string;
  /** What may follow the name, such as `[name]`. */
  readonly argument?: string;
  readonly help: string;
  /** Words that may be the argument. */
  complete?(conversation: Conversation): Promise<readonly string[]> | readonly string[];
}
