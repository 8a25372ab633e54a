import type { Conversation } from "../conversation/conversation.ts";

/** What can be typed after a slash. */
export interface SlashCommand {
  readonly name: string;
  /** What may follow the name, such as `[name]`. */
  readonly argument?: string;
  readonly help: string;
  /** Whether it may be used while the agent works. */
  readonly anytime?: true;
  /** Words that may be the argument. */
  complete?(conversation: Conversation): Promise<readonly string[]> | readonly string[];
  /** @throws UsageError */
  run(conversation: Conversation, argument: string): Promise<void> | void;
}
