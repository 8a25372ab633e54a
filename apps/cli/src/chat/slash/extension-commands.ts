import { fillArguments } from "@cogency/skills";
import type { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { SlashCommand } from "./slash-command.ts";

/** The commands that extensions bring, and which of them are left out, because one that is built in has the name. */
export interface ExtensionCommands {
  readonly commands: readonly SlashCommand[];
  readonly problems: readonly string[];
}

/** Loads no module where none is named. @param isBuiltIn whether the chat itself has a command of this name */
export async function extensionCommands(
  { session }: Conversation,
  isBuiltIn: (name: string) => boolean,
): Promise<ExtensionCommands> {
  const { tool = [], extensions: chosen = [] } = session.choice;
  if (tool.length === 0 && chosen.length === 0) return { commands: [], problems: [] };
  const { extensions } = (await session.open()).extensions;
  const commands = new Map<string, SlashCommand>();
  const problems: string[] = [];
  for (const extension of extensions) {
    for (const { name, description, argumentHint, text } of extension.commands) {
      if (isBuiltIn(name) || commands.has(name)) {
        problems.push(`The extension ${extension.name}: the command /${name} is left out: another one has this name`);
        continue;
      }
      commands.set(name, {
        name,
        help: oneLine(`${description} · ${extension.name}`, 200),
        ...(argumentHint !== undefined && { argument: argumentHint }),
        run: (conversation, given) => conversation.submit(fillArguments(text, given)),
      });
    }
  }
  return { commands: [...commands.values()], problems };
}

/** A command that only an extension may have, which is known when the modules are loaded. @param unknown says that there is none */
export function perhapsOfExtension(
  name: string,
  isBuiltIn: (name: string) => boolean,
  unknown: () => UsageError,
): SlashCommand {
  return {
    name,
    help: "",
    // What it makes is a prompt, which can be said at any time.
    anytime: true,
    async run(conversation, argument) {
      const { commands } = await extensionCommands(conversation, isBuiltIn);
      const found = commands.find((command) => command.name === name);
      if (!found) throw unknown();
      await found.run(conversation, argument);
    },
  };
}
