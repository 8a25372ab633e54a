import type { Command, Option } from "commander";
import { UsageError } from "../base/errors/usage-error.ts";
import { note } from "../base/terminal/note.ts";
import { oneLine } from "../base/terminal/text.ts";
import type { Config } from "../place/config/config.ts";
import { readConfig, userConfigFile } from "../place/config/config-file.ts";
import { valueProblem } from "../place/config/config-problem.ts";
import { type Layer, merged, type Resolved } from "../place/config/merge.ts";
import { openProject, type Project } from "../place/config/open-project.ts";
import { optionRow, type SettingName, settingNames, variableOf } from "../place/config/option-table.ts";
import { withinProject } from "../place/config/project.ts";
import { builtInEntries } from "../place/config/tool-entries.ts";
import { withoutModels } from "../place/config/without-models.ts";
import { shownStore } from "../place/store/store-address.ts";
import { areToolsTyped, configuredExtensions } from "./extensions/configured-extensions.ts";

/**
 * Gives the options of a command the values of the configuration: of the environment, of the project's file if its folder is
 * trusted, and of the user's file. What was typed stays.
 *
 * @returns every value with its origin, those of options that were typed among them
 * @throws UsageError for a file or a variable that cannot be used
 */
export async function configure(
  command: Command,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ReadonlyMap<string, Resolved>> {
  const options = new Map(command.options.map((option) => [option.attributeName(), option]));
  const hasAgent = options.has("contextFiles");
  const isOption = (name: SettingName) => options.has(name) || (name === "tools" && options.has("tool"));
  const names = settingNames.filter((name) => isOption(name) && (hasAgent || !optionRow(name).isOfRuns));
  if (names.length === 0) return new Map();
  const typed = Object.fromEntries(
    [...options.keys()]
      .filter((name) => command.getOptionValueSource(name) === "cli")
      .map((name) => [name, command.getOptionValue(name)]),
  );
  const { config: given, root = "." } = command.opts<{ config?: string; root?: string }>();
  const user = readConfig(userConfigFile());
  const project = given === undefined ? await openedProject(root, hasAgent, names) : undefined;
  const own = given === undefined ? project?.readConfig() : typedConfig(given);
  const stronger: Layer[] = [
    { values: typed, origin: (name) => `option ${options.get(name)?.long}` },
    { values: fromEnvironment(names, environment), origin: (name) => `variable ${variableOf(name)}` },
  ];
  const excludes = (one: string, other: string) => isConflict(options, one, other) || isConflict(options, other, one);
  const mergedWith = (own: Config | undefined) => {
    const files = [own, user].filter((config) => config !== undefined);
    return merged([...stronger, ...files.map((config) => fileLayer(config, names))], files, excludes);
  };
  const all = mergedWith(own);
  const values = project && own && isModelFile(all) ? mergedWith(withoutModels(own)) : all;
  const [ignored, counting] = [all.get("model")?.origin, values.get("model")?.origin];
  if (ignored !== undefined && ignored !== counting) note(ignoredModel(ignored));
  if (project?.modules && options.has("provider")) command.setOptionValue("modules", project.modules);
  if (options.has("tool")) {
    command.setOptionValue("extensions", configuredExtensions(values, { own, user, project }));
    if (areToolsTyped(values, own, user)) command.setOptionValue("servers", false);
  }
  for (const [name, { value, origin }] of values) {
    const option = options.get(name);
    const given = name === "tools" && Array.isArray(value) ? builtInEntries(value) : value;
    if (option && given !== undefined && command.getOptionValueSource(name) !== "cli") {
      command.setOptionValueWithSource(name, optionValue(option, given, origin), "config");
    }
  }
  return values;
}

/** Whether the model is a file. What reads it is compiled, and not made for files that somebody else has written. */
function isModelFile(values: ReadonlyMap<string, Resolved>): boolean {
  return values.get("provider")?.value === "llama";
}

function ignoredModel(origin: string): string {
  return `Ignored: the model of ${oneLine(origin, 300)}. With the provider llama it is a file that is loaded into this process, and only you name that: with --model, or in your own configuration.`;
}

function typedConfig(file: string): Config {
  const config = readConfig(file);
  if (config) return config;
  throw new UsageError(`--config: there is no file ${oneLine(file, 300)}.`);
}

/** Opens the project, and says if its configuration does not count. */
async function openedProject(root: string, hasAgent: boolean, names: readonly SettingName[]): Promise<Project> {
  const project = await openProject(root);
  const { trust, present, top, before } = project;
  const isOpen = trust === "trusted" || trust === "refused";
  // A file that is gone may have protected.
  const isLost = trust !== "unknown" && before?.protection !== undefined;
  const ignored = hasAgent ? present : present.filter((file) => file === project.config && sets(project, names));
  if (isOpen || (ignored.length === 0 && !(hasAgent && isLost))) return project;
  if (hasAgent && process.stdin.isTTY && process.stderr.isTTY) {
    const { askTrust } = await import("../person/approval/ask-trust.ts");
    return (await askTrust(project, { input: process.stdin, output: process.stderr })) ? openProject(root) : project;
  }
  const shown = ignored.slice(0, 5).map((file) => withinProject(project, file));
  const list = [...shown, ...(ignored.length > 5 ? [`${ignored.length - 5} more`] : [])].join(", ");
  const why = {
    changed:
      "It was changed since you trusted this folder, or a module that it names was, or what its hooks or servers run",
    unseen: "This folder is not trusted by itself",
    unknown: "This folder is not trusted",
  }[trust];
  const kept = isLost ? " What protected when you last looked still counts." : "";
  note(
    `Ignored: ${list === "" ? "that a configuration is gone" : list}. ${why}; to look at it and trust it: cogency trust ${oneLine(top, 300)}${kept}`,
  );
  return project;
}

/** Whether a configuration that is not trusted may set one of these, which is a reason to say that it does not count. */
function sets({ review: { config } }: Project, names: readonly SettingName[]): boolean {
  if (!config || "error" in config) return config !== undefined;
  const all = [config.value.values, ...Object.values(config.value.profiles)];
  return names.some((name) => all.some((values) => values[name] !== undefined));
}

function fileLayer({ file, values, kept }: Config, names: readonly SettingName[]): Layer {
  const own = Object.entries(values).filter(([name]) => names.some((one) => one === name));
  return { values: Object.fromEntries(own), origin: () => file, kept };
}

/** @throws UsageError for a value that its key does not take */
function fromEnvironment(names: readonly SettingName[], environment: NodeJS.ProcessEnv): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const text = environment[variableOf(name)]?.trim();
    if (!text) continue;
    values[name] = readValue(name, text, variableOf(name));
  }
  return values;
}

/**
 * Reads the text of a value: JSON for lists and prices, or one text in their place.
 *
 * @param place how errors name it
 * @throws UsageError for a text that the key does not take
 */
export function readValue(name: SettingName, text: string, place: string = name): unknown {
  const setting = optionRow(name);
  const value = typedValue(text, setting.type);
  const problem = valueProblem(place, value, setting);
  if (problem !== undefined) throw new UsageError(oneLine(problem, 400));
  return value;
}

function typedValue(text: string, type: string): unknown {
  switch (type) {
    case "switch":
      return { true: true, "1": true, yes: true, false: false, "0": false, no: false }[text.toLowerCase()] ?? text;
    case "count":
    case "amount":
      return Number(text);
    case "list":
    case "tools":
      return asJson(text) ?? [text];
    case "ports":
      return asJson(text) ?? [Number(text)];
    case "prices":
      return asJson(text) ?? text;
    default:
      return text;
  }
}

function asJson(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isConflict(options: ReadonlyMap<string, Option>, one: string, other: string): boolean {
  const { conflictsWith = [] } = (options.get(one) ?? {}) as { conflictsWith?: readonly string[] };
  return conflictsWith.includes(other);
}

/** A value as the option itself would have read it. */
function optionValue(option: Option, value: unknown, origin: string): unknown {
  const { parseArg } = option;
  // A switch that is off is an option that was not given.
  if (value === false && !option.negate) return undefined;
  if (!parseArg || typeof value === "boolean" || (typeof value === "object" && !Array.isArray(value))) return value;
  try {
    if (!Array.isArray(value)) return parseArg(String(value), undefined as never);
    return option.attributeName() === "tools"
      ? parseArg(value.join(","), undefined as never)
      : value.reduce((before, one) => parseArg(String(one), before), undefined);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(oneLine(`${origin}: ${option.attributeName()}: ${error.message}`, 600), { cause: error });
  }
}

/** A value as a person reads it. The address of a store may hold a password. */
export function shownValue(name: string, value: unknown): string {
  if (name === "store") return shownStore(String(value));
  return typeof value === "string" ? value : JSON.stringify(value);
}
