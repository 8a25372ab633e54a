import { relative } from "node:path";
import type { Capability } from "@cogency/agent";
import type { ExtensionCommand, OpenedExtension } from "@cogency/extensions";
import type { Skill } from "@cogency/skills";
import type { Tool } from "@cogency/tools";
import { messageOf } from "../../base/errors/message-of.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { noteOnce } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { toolNames } from "../../base/tool-names.ts";
import { isPath } from "../../place/modules/module-file.ts";
import { type ModeChoice, modeOf } from "../../place/rules/mode.ts";
import { type LoadedModule, loadModule, UnknownModule } from "../modules/load-module.ts";
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
export interface OpenExtensions {
  readonly extensions: readonly PlacedExtension[];
  readonly capabilities: readonly Capability[];
  readonly tools: readonly Tool[];
  /** One line for each module, tool, skill or command that is left out. */
  readonly problems: readonly string[];
}

/** Milliseconds that a module may take to load, and as many for its function. */
const longest = 10_000;

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
  const opened = await Promise.all(choices.map((choice) => openedOnce(choice, options.root)));
  const taken = new Set<string>(toolNames);
  const problems: string[] = [];
  const extensions: PlacedExtension[] = [];
  const capabilities: Capability[] = [];
  for (const [index, { name, extension, problem }] of opened.entries()) {
    const tell = (message: string) => problems.push(oneLine(`The extension ${name}: ${message}`, 600));
    if (problem !== undefined) tell(problem);
    if (!extension) continue;
    for (const { message } of extension.problems) tell(message);
    const { tools: all = [], ...others } = extension.capability;
    const tools = (choices[index]?.withoutTools ? [] : all).filter((tool) => {
      if (!taken.has(tool.name)) return true;
      tell(`the tool "${tool.name}" is left out: another one has this name`);
      return false;
    });
    for (const tool of tools) taken.add(tool.name);
    const offered = tools.filter(({ annotations }) => modeOf(options) !== "read-only" || annotations.readOnlyHint);
    capabilities.push({ ...others, name: `extension ${index + 1}: ${name}`, tools: offered });
    extensions.push({ name, tools: offered, skills: extension.skills, commands: extension.commands });
  }
  for (const line of problems) tellPerson(line);
  return { extensions, capabilities, tools: extensions.flatMap(({ tools }) => tools), problems };
}

const noExtensions: OpenExtensions = { extensions: [], capabilities: [], tools: [], problems: [] };

/** The person's first, each once. */
function chosen({ tool = [], extensions = [] }: ExtensionOptions): ExtensionChoice[] {
  const typed = tool.map((use) => ({ use, root: "." }));
  const all = [...extensions.filter(({ ofProject }) => !ofProject), ...typed, ...extensions];
  return [...new Map(all.toReversed().map((choice) => [keyOf(choice), choice])).values()].toReversed();
}

interface Opened {
  readonly name: string;
  readonly extension?: OpenedExtension;
  readonly problem?: string;
}

/** A chat that changes its model, or its mode, makes its agent anew: a module goes on with what it has. */
const known = new Map<string, Promise<Opened>>();

function openedOnce(choice: ExtensionChoice, root: string): Promise<Opened> {
  const key = JSON.stringify([process.cwd(), root, keyOf(choice), choice.ofProject?.reviewed?.hash ?? null]);
  const before = known.get(key);
  if (before) return before;
  const opened = open(choice, root);
  known.set(key, opened);
  opened.catch(() => known.delete(key));
  return opened;
}

function keyOf({ use, options = {}, root, ofProject }: ExtensionChoice): string {
  return JSON.stringify([use, options, isPath(use) ? "" : root, ofProject !== undefined]);
}

async function open({ use, options, root: from, ofProject }: ExtensionChoice, root: string): Promise<Opened> {
  const name = shownName(use);
  const { lentPackages } = await import("./lent-packages.ts");
  let loaded: LoadedModule;
  try {
    const known = ofProject && (ofProject.reviewed ?? (isPath(use) ? missing(use) : undefined));
    const isOwn = ofProject === undefined && from !== ".";
    loaded = await loadModule(
      { kind: "tool", name: use, root: from, known: toolNames, reviewed: known, isOwn },
      { packages: lentPackages, timeout: longest },
    );
  } catch (error) {
    if (error instanceof UnknownModule && !use.startsWith("@")) throw error;
    if (!(error instanceof UsageError)) throw error;
    return { name, problem: messageOf(error).replace(/^The tool "[^"]*"/, "it") };
  }
  const { openExtension } = await import("@cogency/extensions");
  const claims = ofProject === undefined;
  const extension = await openExtension(loaded.module, {
    name,
    root,
    claims,
    timeout: longest,
    taken: new Set(toolNames),
    ...(options && { options }),
  });
  // As with the skills of a project: what they say is its own.
  const holds = [{ holds: "private" as const, source: name }];
  return {
    name,
    extension: claims ? extension : { ...extension, skills: extension.skills.map((skill) => ({ ...skill, holds })) },
  };
}

/** One that was not there when the project was looked at does not run, whatever stands there by now. */
function missing(file: string) {
  return { file, code: undefined, imports: [] };
}

/** A path in the current folder as a person would type it. */
function shownName(use: string): string {
  if (!use.startsWith("/")) return use;
  const below = relative(".", use);
  return below.startsWith("..") || below === "" ? use : `./${below}`;
}
