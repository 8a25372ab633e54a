import { nearestNames } from "@cogency/tools";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { attach } from "./attach.ts";
import { budget } from "./budget.ts";
import { compact } from "./compact.ts";
import { continueCommand } from "./continue.ts";
import { driver } from "./driver.ts";
import { exportCommand } from "./export.ts";
import { fork } from "./fork.ts";
import { help } from "./help.ts";
import { history } from "./history.ts";
import { later } from "./later.ts";
import { mode } from "./mode.ts";
import { model } from "./model.ts";
import { newCommand } from "./new.ts";
import { quit } from "./quit.ts";
import { rename } from "./rename.ts";
import { resume } from "./resume.ts";
import { show } from "./show.ts";
import type { SlashCommand } from "./slash-command.ts";
import { thinking } from "./thinking.ts";
import { tools } from "./tools.ts";
import { undo } from "./undo.ts";
import { unsend } from "./unsend.ts";

/** In the order of the help. */
export const slashCommands: readonly SlashCommand[] = [
  help(() => slashCommands),
  model,
  driver,
  mode,
  tools,
  attach,
  show,
  thinking,
  later,
  unsend,
  continueCommand,
  undo,
  compact,
  budget,
  history,
  resume,
  newCommand,
  rename,
  fork,
  exportCommand,
  quit,
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
