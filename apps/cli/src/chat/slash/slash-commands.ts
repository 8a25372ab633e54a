import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { agentCommands } from "./agent-commands.ts";
import { conversationCommands } from "./conversation-commands.ts";
import { jobsCommand } from "./jobs-command.ts";
import type { SlashCommand } from "./slash-command.ts";
import { turnCommands } from "./turn-commands.ts";

/** In the order of the help. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: "help",
    help: "what can be typed",
    anytime: true,
    run({ view }) {
      view.list(slashCommands.map(({ name, argument = "", help }) => [`/${name} ${argument}`.trim(), help]));
      view.list(view.keys);
    },
  },
  ...agentCommands,
  ...turnCommands,
  jobsCommand,
  ...conversationCommands,
  {
    name: "quit",
    help: "leave; the conversation stays",
    anytime: true,
    run: (conversation) => conversation.leave(),
  },
];

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
