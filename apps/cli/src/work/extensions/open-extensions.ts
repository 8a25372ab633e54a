import { resolve } from "node:path";
import type { Capability } from "@cogency/agent";
import type { ExtensionCommand } from "@cogency/extensions";
import type { Skill } from "@cogency/skills";
import type { Tool } from "@cogency/tools";
import { noteOnce } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { takenNames } from "../../base/tool-names.ts";
import { isPath } from "../../place/modules/module-file.ts";
import { type ModeChoice, modeOf } from "../../place/rules/mode.ts";
import type { OpenPart } from "../open-part.ts";
import type { ExtensionChoice } from "./configured-extensions.ts";

/** Which modules bring tools and more. */
export interface ExtensionOptions extends ModeChoice {
  root: string;
  /** Those that were typed. */
  tool?: readonly string[];
  /** Those of the configuration. */
  extensions?: readonly ExtensionChoice[];
}

/** A module that works, as a person knows it. */
export interface PlacedExtension {
  /** As it was named. */
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly skills: readonly Skill[];
  readonly commands: readonly ExtensionCommand[];
}

/** The extensions of a run, and what an agent gets of them. */
export interface OpenExtensions extends OpenPart {
  readonly extensions: readonly PlacedExtension[];
  readonly tools: readonly Tool[];
  /** One line for each module, tool, skill or command that is left out. */
  readonly problems: readonly string[];
}

/**
 * Loads the modules that bring tools, hooks, skills and commands. What is wrong with one of them is a line on stderr, and the others work.
 * They run in this process, so a person has named each, or has trusted the folder that does.
 *
 * @param tellPerson gets each of the lines
 * @throws UsageError for a name that is neither a tool nor a package, because the person may have meant to leave other tools out
 */
export async function openExtensions(
  options: ExtensionOptions,
  tellPerson: (line: string) => void = noteOnce,
): Promise<OpenExtensions> {
  const choices = chosen(options);
  if (choices.length === 0) return noExtensions;
  const { openedOnce } = await import("./open-module.ts");
  const opened = await Promise.all(choices.map((choice) => openedOnce(choice, options.root, keyOf(choice))));
  const taken = new Set(takenNames);
  const problems: string[] = [];
  const extensions: PlacedExtension[] = [];
  const capabilities: Capability[] = [];
  for (const [index, { name, extension, problem }] of opened.entries()) {
    const own: string[] = problem === undefined ? [] : [problem];
    own.push(...(extension?.problems ?? []).map(({ message }) => message));
    if (extension) {
      const { tools: all = [], ...others } = extension.capability;
      const wanted = choices[index]?.withoutTools ? [] : all;
      const tools = wanted.filter(({ name: tool }) => {
        const why = taken.has(tool) ? "another one has this name" : taken.size >= mostTools ? tooMany : undefined;
        if (why === undefined) taken.add(tool);
        else own.push(`the tool "${tool}" is left out: ${why}`);
        return why === undefined;
      });
      const offered = tools.filter(({ annotations }) => modeOf(options) !== "read-only" || annotations.readOnlyHint);
      capabilities.push({ ...others, name: `extension ${index + 1}: ${name}`, tools: offered });
      extensions.push({ name, tools: offered, skills: extension.skills, commands: extension.commands });
    }
    const more = own.length > mostLines ? [`${own.length - mostLines} more of its parts are left out`] : [];
    problems.push(
      ...[...own.slice(0, mostLines), ...more].map((text) => oneLine(`The extension ${name}: ${text}`, 600)),
    );
  }
  for (const line of problems) tellPerson(line);
  return { extensions, capabilities, tools: extensions.flatMap(({ tools }) => tools), problems };
}

/** OpenAI refuses a request with more: `array too long. Expected an array with maximum length 128`. */
const mostTools = 128;
const tooMany = `there are more than ${mostTools} tools`;

/** Lines about one module. */
const mostLines = 10;

const noExtensions: OpenExtensions = { extensions: [], capabilities: [], tools: [], problems: [] };

/** The person's first, each once: what a person names is the person's, also where the project names it. */
function chosen({ tool = [], extensions = [] }: ExtensionOptions): ExtensionChoice[] {
  const typed = tool.map((use) => ({ use, root: "." }));
  const all = [...extensions.filter(({ ofProject }) => !ofProject), ...typed, ...extensions];
  return [...new Map(all.toReversed().map((choice) => [keyOf(choice), choice])).values()].toReversed();
}

function keyOf({ use, options = {}, root }: ExtensionChoice): string {
  return JSON.stringify([...(isPath(use) ? [resolve(use)] : [use, root]), options]);
}
