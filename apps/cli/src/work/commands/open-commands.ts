import { noteOnce } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { Commands } from "../../place/commands/find-commands.ts";
import type { Project } from "../../place/config/open-project.ts";
import type { RuleSurroundings } from "../../place/rules/allow-rules.ts";
import type { TextSources } from "../../place/texts/find-texts.ts";
import type { OpenExtensions } from "../extensions/open-extensions.ts";
import type { Servers } from "../mcp/servers.ts";
import type { CommandPrompt } from "./command-prompt.ts";
import { commandsOf } from "./extension-commands.ts";
import { builtIn, type OpenCommand } from "./open-command.ts";

/** The commands of a folder. They are read whenever they are asked for, so that a new file counts at once, and a start does not wait. */
export interface OpenCommands {
  /** @param reserved names that none of a file may have */
  list(
    reserved?: readonly string[],
  ): Promise<Pick<Commands, "problems"> & { readonly commands: readonly OpenCommand[] }>;
  /** What a line such as `/fix 12` stands for; undefined for a line that names no command. */
  expand(typed: string): Promise<CommandPrompt | undefined>;
}

export interface CommandSources extends TextSources {
  readonly surroundings: RuleSurroundings;
  /** Real paths that no file of a command of the project may be. */
  readonly guarded: readonly string[];
}

/** `/name arguments`, or `/server:prompt arguments`. */
const line = /^\/([a-z\d][\w-]*(?:(?:\/[a-z\d][\w-]*)*|:[\w-]+))(?:\s+(.*))?$/is;

/** The name and the arguments of a line that may name a command. */
export function commandLine(typed: string): { readonly name: string; readonly given: string } | undefined {
  const [, name, given = ""] = line.exec(typed.trim()) ?? [];
  return name === undefined ? undefined : { name, given: given.trim() };
}

/**
 * @param extensions those that bring commands, too; one of a file comes first
 * @param servers those that bring prompts
 */
export function openCommands(
  project: Project,
  sources: CommandSources,
  { extensions }: Pick<OpenExtensions, "extensions"> = { extensions: [] },
  servers?: Servers,
): OpenCommands {
  const list = async (reserved: readonly string[] = []) => {
    const [{ findCommands }, { builtInCommands }] = await Promise.all([
      import("../../place/commands/find-commands.ts"),
      import("./built-in-commands.ts"),
    ]);
    const names = builtInCommands.map(({ name }) => name);
    const found = await findCommands(project, sources, [...reserved, ...names]);
    const own = builtInCommands.map((command) => ({ ...command, place: builtIn, isOwn: false }));
    const more = commandsOf(extensions, [...reserved, ...names, ...found.commands.map(({ name }) => name)]);
    const prompts = servers === undefined ? [] : await serverPrompts();
    const commands = [...own, ...found.commands, ...more.commands, ...prompts].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
    return { ...found, commands, problems: [...found.problems, ...more.problems] };
  };
  const serverPrompts = async () => {
    const { promptCommands } = await import("../mcp/prompt-commands.ts");
    return servers === undefined ? [] : promptCommands(servers);
  };
  return {
    list,
    async expand(typed) {
      const { name, given } = commandLine(typed) ?? {};
      if (name === undefined || given === undefined) return undefined;
      if (name.includes(":"))
        return servers && (await import("../mcp/prompt-commands.ts")).expandPrompt(servers, name, given);
      const { commands, unseen } = await list();
      const command = commands.find((one) => one.name === name);
      if (command === undefined) return undefined;
      if (unseen.includes(name)) noteOnce(unseenText(name, project.top));
      return promptOf(command, given, sources);
    },
  };
}

async function promptOf(command: OpenCommand, given: string, sources: CommandSources): Promise<CommandPrompt> {
  const [{ expandCommand }, { turnRulesOf }] = await Promise.all([
    import("@cogency/skills/commands"),
    import("./turn-rules-of.ts"),
  ]);
  const { name, place, holds = [] } = command;
  const isTheirs = holds.some((content) => content.holds === "private");
  const head = `/${name}${given === "" ? "" : ` ${given}`}`;
  const where = oneLine(place, 200);
  const from = isTheirs ? `\n\nThe file ${where} of the project says about that:` : "";
  const { turn, told } = turnRulesOf(command, given, sources.surroundings);
  return {
    command,
    text: `${head}${from}\n\n${expandCommand(command, given)}`,
    limits: isTheirs ? { within: sources.root, guarded: sources.guarded } : undefined,
    holds,
    turn,
    told: [`/${name}: ${where}.`, ...told].join(" "),
  };
}

function unseenText(name: string, top: string): string {
  return `You have not looked at the command /${oneLine(name, 80)} of the project since it was changed, so what it says counts as untrusted. To read it and take it as yours: cogency trust ${oneLine(top, 200)}`;
}
