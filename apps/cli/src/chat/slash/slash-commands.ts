import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { agentCommands } from "./agent-commands.ts";
import { agentDefinitionCommands } from "./agent-definition-commands.ts";
import { backCommand } from "./back-command.ts";
import { contextCommand } from "./context-command.ts";
import { conversationCommands } from "./conversation-commands.ts";
import { diffCommand } from "./diff-command.ts";
import { extensionCommands, perhapsOfExtension } from "./extension-commands.ts";
import { hooksCommand } from "./hooks-command.ts";
import { jobsCommand } from "./jobs-command.ts";
import { pasteCommand } from "./paste-command.ts";
import { planCommand } from "./plan-command.ts";
import { rulesCommand } from "./rules-command.ts";
import { skillCommands } from "./skill-commands.ts";
import type { SlashCommand } from "./slash-command.ts";
import { thinkCommand } from "./think-command.ts";
import { treeCommand } from "./tree-command.ts";
import { turnCommands } from "./turn-commands.ts";

/** In the order of the help. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: "help",
    argument: "[all|keys]",
    help: "what can be typed: the usual commands, all of them, or what keys do",
    anytime: true,
    complete: () => ["all", "keys"],
    run(conversation, argument) {
      const { view } = conversation;
      switch (argument) {
        case "":
          view.list(rowsOf(slashCommands.filter(({ name }) => usual.has(name))));
          return view.remark("/help all shows every command, and /help keys what keys do, @path and !command.");
        case "all":
          view.list(rowsOf(slashCommands));
          return listMore(conversation);
        case "keys":
          return view.list(view.keys);
        default:
          throw new UsageError("Write /help, /help all or /help keys.");
      }
    },
  },
  ...agentCommands,
  thinkCommand,
  rulesCommand,
  ...turnCommands,
  pasteCommand,
  diffCommand,
  contextCommand,
  ...skillCommands,
  ...agentDefinitionCommands,
  hooksCommand,
  planCommand,
  jobsCommand,
  ...conversationCommands,
  treeCommand,
  backCommand,
  {
    name: "quit",
    help: "leave; the conversation stays",
    anytime: true,
    run: (conversation) => conversation.leave(),
  },
];

/** What fits a short screen. */
const usual: ReadonlySet<string> = new Set([
  ...["model", "mode", "plan", "attach", "show", "undo", "continue"],
  ...["compact", "budget", "history", "resume", "new", "quit"],
]);

function rowsOf(commands: readonly SlashCommand[]): [name: string, help: string][] {
  return commands.map(({ name, argument = "", help }) => [`/${name} ${argument}`.trim(), help]);
}

/** Commands that are not built in. */
async function listMore(conversation: Conversation): Promise<void> {
  const { commands, problems } = await extensionCommands(conversation, isBuiltIn);
  if (commands.length > 0) conversation.view.list(rowsOf(commands));
  for (const problem of problems) conversation.view.remark(problem, "warning");
}

export function isBuiltIn(name: string): boolean {
  return slashCommands.some((command) => command.name === name);
}

/** A command of this name. One that is not built in is looked for when it runs, which throws a UsageError if there is none. */
export function slashCommand(name: string): SlashCommand {
  const found = slashCommands.find((command) => command.name === name);
  return found ?? perhapsOfExtension(name, isBuiltIn, () => unknownCommand(name));
}

function unknownCommand(name: string): UsageError {
  const [nearest] = nearestNames(
    name,
    slashCommands.map((command) => command.name),
  );
  return new UsageError(
    `There is no /${oneLine(name, 60)}. ${nearest ? `Did you mean /${nearest}?` : "/help shows what there is."}`,
  );
}
