import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { problemLine } from "../../place/texts/find-texts.ts";
import type { OpenCommand } from "../../work/commands/open-command.ts";
import { showList } from "../../work/slash/named-things.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { SlashCommand } from "./slash-command.ts";

/**
 * A command of a file, or one whose prompt is built in: says what it stands for, after the answer if the agent works.
 *
 * @param reserved the names of slash commands
 */
export function customCommand(name: string, reserved: readonly string[]): SlashCommand {
  return {
    name,
    help: "",
    anytime: true,
    async run(conversation, given) {
      const line = given === "" ? `/${name}` : `/${name} ${given}`;
      const { commands, problems } = await listOf(conversation, reserved).catch((error: unknown) => {
        conversation.view.giveBack(line);
        throw error;
      });
      const names = commands.map((command) => command.name);
      if (names.includes(name)) return conversation.sayCommand(line);
      // Such as a path: /etc/hosts is no command, but the beginning of a sentence.
      if (name.includes("/")) return conversation.sayPrompt(line);
      const [nearest] = nearestNames(name, [...reserved, ...names]);
      const wrong = problems.find(({ file }) => file.endsWith(`/${name}.md`));
      const advice = nearest ? `Did you mean /${nearest}?` : "/help shows what there is.";
      throw new UsageError(`There is no /${oneLine(name, 60)}. ${wrong ? oneLine(problemLine(wrong), 400) : advice}`);
    },
  };
}

/** Shows the commands of files with their place, and what was left out. */
export async function listCustomCommands(conversation: Conversation, reserved: readonly string[]): Promise<void> {
  const { commands, problems } = await listOf(conversation, reserved);
  const rows = commands.map((command) => [usage(command), about(command)] as const);
  showList(conversation.view, rows, problems, "There are no commands here.");
}

/** The commands of files whose names begin so. */
export async function customCommandsLike(
  conversation: Conversation,
  typed: string,
  reserved: readonly string[],
): Promise<readonly { name: string; help: string }[]> {
  const { commands } = await listOf(conversation, reserved);
  const found = commands.filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase()));
  return found.map((command) => ({
    name: command.name,
    help: [oneLine(command.argumentHint ?? "", 60), about(command)].filter(Boolean).join(" · "),
  }));
}

async function listOf({ session }: Conversation, reserved: readonly string[]) {
  return (await session.open()).commands.list(reserved);
}

function usage({ name, argumentHint }: OpenCommand): string {
  return `/${name} ${oneLine(argumentHint ?? "", 60)}`.trim();
}

function about({ place, description }: OpenCommand): string {
  return oneLine(`${place} · ${description}`, 200);
}
