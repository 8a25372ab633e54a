import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { agentCommands } from "./agent-commands.ts";
import { backCommand } from "./back-command.ts";
import { contextCommand } from "./context-command.ts";
import { conversationCommands } from "./conversation-commands.ts";
import { diffCommand } from "./diff-command.ts";
import { jobsCommand } from "./jobs-command.ts";
import { pasteCommand } from "./paste-command.ts";
import { skillCommands } from "./skill-commands.ts";
import type { SlashCommand } from "./slash-command.ts";
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
    run({ view }, argument) {
      switch (argument) {
        case "":
          view.list(rowsOf(slashCommands.filter(({ name }) => usual.has(name))));
          return view.remark("/help all shows every command, and /help keys what keys do, @path and !command.");
        case "all":
          return view.list(rowsOf(slashCommands));
        case "keys":
          return view.list(view.keys);
        default:
          throw new UsageError("Write /help, /help all or /help keys.");
      }
    },
  },
  ...agentCommands,
  ...turnCommands,
  pasteCommand,
  diffCommand,
  contextCommand,
  ...skillCommands,
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
  ...["model", "mode", "attach", "show", "undo", "continue"],
  ...["compact", "budget", "history", "resume", "new", "quit"],
]);

function rowsOf(commands: readonly SlashCommand[]): [name: string, help: string][] {
  return commands.map(({ name, argument = "", help }) => [`/${name} ${argument}`.trim(), help]);
}

/** @throws UsageError for a name that there is not */
export function slashCommand(name: string): SlashCommand {
  const found = slashCommands.find((command) => command.name === name);
  if (found) return found;
  const [nearest] = nearestNames(
    name,
    slashCommands.map((command) => command.name),
  );
  throw new UsageError(
    `There is no /${oneLine(name, 60)}. ${nearest ? `Did you mean /${nearest}?` : "/help shows what there is."}`,
  );
}
