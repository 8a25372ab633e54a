import { oneLine } from "../../base/terminal/text.ts";
import type { RuleSurroundings } from "../../place/rules/allow-rules.ts";
import { ruleProblem, type TurnRules } from "../../place/rules/turn-rules.ts";
import { callsFor } from "./built-in-commands.ts";
import { builtIn, type OpenCommand } from "./open-command.ts";
import { rulesNamed } from "./rules-named.ts";

/**
 * What counts until the turn of a command ends, and what the person should know about it. The list of tools of the person's own file
 * counts as rules would; that of a built-in command only where a sandbox holds what runs; that of any other is shown, and counts not.
 */
export function turnRulesOf(
  command: OpenCommand,
  given: string,
  surroundings: RuleSurroundings,
): { turn: TurnRules; told: string[] } {
  const isBuiltIn = command.place === builtIn;
  const rules = rulesNamed([...(command.allowedTools ?? []), ...(isBuiltIn ? callsFor(command, given) : [])]);
  const counts = command.isOwn || (isBuiltIn && surroundings.isolated);
  const problems = new Map(rules.map((rule) => [rule, ruleProblem(rule, surroundings)]));
  const allow = counts ? rules.filter((rule) => problems.get(rule) === undefined) : [];
  const turn = { allow, ...(command.isReadOnly && { readOnlyBut: rules }) };
  const told = command.isReadOnly ? ["Nothing is changed in this turn."] : [];
  if (isBuiltIn || rules.length === 0) return { turn, told };
  const listed = (some: readonly string[]) => oneLine(some.join(", "), 300);
  if (!command.isOwn)
    return { turn, told: [...told, `It asks for ${listed(rules)}, which only a file of yours in ${own} gives.`] };
  const idle = rules.filter((rule) => problems.get(rule) !== undefined);
  return {
    turn,
    told: [
      ...told,
      ...(allow.length > 0 ? [`Until the turn ends, these run without a question: ${listed(allow)}.`] : []),
      ...idle.map((rule) => oneLine(`"${rule}" allows nothing: ${problems.get(rule)}`, 300)),
    ],
  };
}

const own = "~/.config/cogency/commands";
