import type { Command, Option } from "commander";
import { isSettingName } from "../../src/place/config/option-table.ts";

/** `docs/commands.md`: every command with its arguments and options, as `--help` has them. */
export function commandsPage(program: Command): string {
  const run = program.commands.find((command) => command.name() === "run");
  const sections = program.commands.flatMap((command) => sectionsOf(command, "cogency", run?.options ?? []));
  return `${[intro, ...sections].join("\n\n")}\n`;
}

const intro = `# Commands and options

The texts of \`--help\` on one page. The column \`key\` names the key of a [configuration](configuration.md). Options of \`run\` that another command takes are only named there.`;

/** @param ofRun the options of `run`, which other commands share */
function sectionsOf(command: Command, parent: string, ofRun: readonly Option[]): string[] {
  const path = `${parent} ${command.name()}`;
  const inner = command.commands.flatMap((one) => sectionsOf(one, path, ofRun));
  const isGroup = command.commands.length > 0 && command.options.length === 0;
  if (command.name().startsWith("_") || isGroup) return inner;
  const isShared = (option: Option) => command.name() !== "run" && ofRun.some((one) => isSame(one, option));
  const shown = command.options.filter(({ hidden }) => !hidden);
  const shared = shown.filter(isShared).map(({ long }) => `\`${long}\``);
  return [
    `## \`${path}\``,
    `\`${path} ${command.usage()}\`: ${command.description()}.`,
    ...tableOf(
      command,
      shown.filter((option) => !isShared(option)),
    ),
    ...(shared.length > 0 ? [`Of \`run\`: ${shared.join(", ")}.`] : []),
    ...inner,
  ];
}

function isSame(one: Option, other: Option): boolean {
  return one.flags === other.flags && one.description === other.description;
}

function tableOf(command: Command, options: readonly Option[]): string[] {
  const help = command.createHelp();
  const explained = command.registeredArguments.filter(({ description }) => description !== "");
  const hasKeys = ["run", "chat"].includes(command.name());
  const rows = [
    ...(hasKeys ? [["option", "meaning", "key"]] : [["option", "meaning"]]),
    ["---", "---", ...(hasKeys ? ["---"] : [])],
    ...explained.map((argument) => [`\`${help.argumentTerm(argument)}\``, help.argumentDescription(argument)]),
    ...options.map((option) => [`\`${help.optionTerm(option)}\``, help.optionDescription(option), keyOf(option)]),
  ];
  const lines = rows.map(([term, meaning = "", key = ""]) => {
    const cells = [term, meaning.replace(/[|<*]/g, "\\$&"), ...(hasKeys ? [key] : [])];
    return `| ${cells.join(" | ")} |`;
  });
  return lines.length === 2 ? [] : [lines.join("\n")];
}

function keyOf(option: Option): string {
  const name = option.attributeName();
  return isSettingName(name) ? `\`${name}\`` : "";
}
