import { UsageError } from "../../base/errors/usage-error.ts";
import { markCommand } from "../../work/slash/mark-command.ts";
import { planCommand } from "../../work/slash/plan-command.ts";
import { skillCommands } from "../../work/slash/skill-commands.ts";
import { agentCommands } from "./agent-commands.ts";
import { agentDefinitionCommands } from "./agent-definition-commands.ts";
import { backCommand } from "./back-command.ts";
import { contextCommand } from "./context-command.ts";
import { conversationCommands } from "./conversation-commands.ts";
import { customCommand, listCustomCommands } from "./custom-commands.ts";
import { diffCommand } from "./diff-command.ts";
import { hooksCommand } from "./hooks-command.ts";
import { jobsCommand } from "./jobs-command.ts";
import { mcpCommand } from "./mcp-command.ts";
import { memoryCommand } from "./memory-command.ts";
import { pasteCommand } from "./paste-command.ts";
import { rulesCommand } from "./rules-command.ts";
import type { SlashCommand } from "./slash-command.ts";
import { thinkCommand } from "./think-command.ts";
import { treeCommand } from "./tree-command.ts";
import { turnCommands } from "./turn-commands.ts";

const help: SlashCommand = {
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
        for (const [title, commands] of sections) {
          view.remark(`${title}:`);
          view.list(rowsOf(commands));
        }
        view.remark("Built in as prompts, from files, or from servers:");
        return listCustomCommands(conversation, slashNames());
      case "keys":
        return view.list(view.keys);
      default:
        throw new UsageError("Write /help, /help all or /help keys.");
    }
  },
};

const quit: SlashCommand = {
  name: "quit",
  help: "leave; the conversation stays",
  anytime: true,
  run: (conversation) => conversation.leave(),
};

/** As `/help all` shows them. */
const sections: readonly (readonly [title: string, commands: readonly SlashCommand[]])[] = [
  ["The model, and what runs without a question", [...agentCommands, thinkCommand, rulesCommand]],
  ["What you say, and what the agent does", [...turnCommands, pasteCommand, diffCommand, contextCommand, jobsCommand]],
  [
    "Plans, skills, agents, hooks and servers",
    [planCommand, ...skillCommands, ...agentDefinitionCommands, hooksCommand, mcpCommand],
  ],
  ["Conversations", [...conversationCommands, treeCommand, backCommand, markCommand, memoryCommand]],
  ["The chat", [help, quit]],
];

/** In the order of the help. */
export const slashCommands: readonly SlashCommand[] = sections.flatMap(([, commands]) => commands);

/** What fits a short screen. */
const usual: ReadonlySet<string> = new Set([
  ...["model", "mode", "plan", "attach", "show", "undo", "continue"],
  ...["compact", "budget", "history", "resume", "new", "quit"],
]);

function rowsOf(commands: readonly SlashCommand[]): [name: string, help: string][] {
  return commands.map(({ name, argument = "", help }) => [`/${name} ${argument}`.trim(), help]);
}

/** The names that no command of a file can have. */
export function slashNames(): string[] {
  return slashCommands.map(({ name }) => name);
}

/** What is built in, else a command of a file, which is looked for when it is used. */
export function slashCommand(name: string): SlashCommand {
  return slashCommands.find((command) => command.name === name) ?? customCommand(name, slashNames());
}
