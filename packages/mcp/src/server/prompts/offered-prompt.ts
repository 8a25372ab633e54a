import type { McpCallHost } from "../call-host.ts";
import type { McpContent } from "../content.ts";

/** A text that a person chooses at the client, filled in with arguments. */
export interface McpOfferedPrompt {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly args?: readonly McpPromptArgument[] | undefined;
  /** A text is one message of the person. Texts come from the client as they are; nobody has checked them. */
  messages(
    args: Readonly<Record<string, string>>,
    host: McpCallHost,
  ): string | readonly McpPromptMessage[] | Promise<string | readonly McpPromptMessage[]>;
}

export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  /** Proposals for what the person has typed; `known` are the other arguments. */
  complete?(value: string, known: Readonly<Record<string, string>>): readonly string[] | Promise<readonly string[]>;
}

export interface McpPromptMessage {
  readonly role: "user" | "assistant";
  readonly content: string | McpContent;
}
