import type { LogEvent } from "@cogency/protocol";
import type { TurnRules } from "../../place/rules/turn-rules.ts";
import { commandLine, type OpenCommands } from "./open-commands.ts";

/**
 * What forbids calls in a turn that goes on in another process than the one that began it: the turn of a command that changes nothing
 * stays so. Rules that allow something end with their process.
 *
 * @param log its prompts and records at least
 * @returns undefined if the turn may change something
 */
export async function turnOfLog(
  log: readonly LogEvent[],
  commands: Pick<OpenCommands, "expand">,
): Promise<TurnRules | undefined> {
  for (const line of promptsOfTurn(log)) {
    // A prompt of a server changes no rules, and is not asked for again.
    const readOnlyBut =
      line.startsWith("/") && !commandLine(line)?.name.includes(":")
        ? (await commands.expand(line))?.turn.readOnlyBut
        : undefined;
    if (readOnlyBut) return { allow: [], readOnlyBut };
  }
  return undefined;
}

/** The first lines of what was said in the last turn; a person may say more in the middle of one. */
function promptsOfTurn(log: readonly LogEvent[]): string[] {
  const lines: string[] = [];
  for (const event of log.toReversed()) {
    if (event.type === "record" && event.kind === "run" && lines.length > 0) break;
    if (event.type !== "user" || (event.origin !== undefined && event.origin !== "untrusted")) continue;
    lines.push(event.content.split("\n", 1)[0] ?? "");
  }
  return lines;
}
