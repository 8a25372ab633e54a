import { dirname } from "node:path";
import type { HookProgram } from "@cogency/hook-programs";
import { UsageError } from "../../base/errors/usage-error.ts";
import { type FileLimits, readRegularText } from "../../base/files/read-regular-file.ts";
import { hookFiles } from "../hooks/hook-files.ts";
import { type McpJson, mcpJsonOf } from "../mcp/mcp-json.ts";
import { type ReviewedServer, reviewedServers } from "../mcp/reviewed-servers.ts";
import type { McpSettings } from "../mcp/server-entry.ts";
import type { ModuleFile } from "../modules/module-file.ts";
import { ruleFileOf } from "../rules/rule-file.ts";
import type { Rules } from "../rules/rules.ts";
import type { Config, Values } from "./config.ts";
import { configOf } from "./config-file.ts";
import { moduleLines, modulesOf } from "./named-modules.ts";
import { optionRow, settingNames } from "./option-table.ts";
import type { ProjectFiles } from "./project.ts";
import { type Protection, protectionOf } from "./protection.ts";
import { profilePath, quoted } from "./quoted.ts";
import { readPrices } from "./read-prices.ts";
import { systemText } from "./system-text.ts";

/** What a file says, or why it cannot be used; undefined for one that there is not. */
type Reading<T> = { readonly value: T } | { readonly error: UsageError } | undefined;

/** What the configuration of a project says, as a person has to see it before it counts. */
export interface Review {
  readonly config: Reading<Config>;
  readonly rules: Reading<Rules>;
  /** Its `.mcp.json`. */
  readonly mcpJson: Reading<McpJson>;
  /** Each value or rule on a line, by file. What a person must not miss stands last. */
  readonly lines: Readonly<Record<"config" | "rules" | "mcpJson", readonly string[]>>;
  /** What it could run, reach, send to whom, or leave unprotected, in one text; empty if it can do nothing of that. */
  readonly risky: string;
  readonly protection: Protection | undefined;
  /** The modules that it names, providers and tools, by these names, as they are loaded. */
  readonly modules: ReadonlyMap<string, ModuleFile>;
  /** The servers of its configuration and of its `.mcp.json`, which come after them, with the files that they run, as they are now. */
  readonly servers: readonly ReviewedServer[];
  /** Its hooks, with the files that they run, as they are now. */
  readonly hooks: readonly HookProgram[];
}

/**
 * Reads what a project configures, and the files that this names, each once: what is reviewed is what counts.
 *
 * @param root where packages are looked for
 * @param limits of each file of the project
 */
export async function reviewOf(files: ProjectFiles, root: string, limits: FileLimits): Promise<Review> {
  const config = readingOf(files.config, limits, (text) => withFiles(configOf(files.config, text), limits));
  const rules = readingOf(files.rules, limits, (text) => ruleFileOf(files.rules, text, false));
  const mcpJson = readingOf(files.mcpJson, limits, (text) => mcpJsonOf(files.mcpJson, text));
  const { values = {}, profiles = {}, mcp } = usable(config) ?? {};
  const modules = await modulesOf({ values, profiles }, root);
  const parts = [
    ["", values] as const,
    ...Object.entries(profiles).map(([name, own]) => [profilePath(name), own] as const),
  ];
  const hooks = await hooksOf(config, hookFolder(files));
  const servers = await reviewedServers(files, mcp, usable(mcpJson));
  const ofMcpJson = serverLines(servers.filter(({ file }) => file === files.mcpJson));
  const all = [
    ...parts.flatMap(([path, own]) => linesOf(path, own)),
    ...hooks.flatMap(hookLines),
    ...mcpLines(
      mcp,
      servers.filter(({ file }) => file === files.config),
    ),
  ];
  const ruled = ruleLines(usable(rules) ?? {});
  const risky = [
    ...[...all, ...ofMcpJson].filter(({ isRisky }) => isRisky).map(({ text }) => text),
    ...ruled,
    ...[config, rules, mcpJson].flatMap((reading) =>
      reading && "error" in reading ? `unusable: ${reading.error.message}` : [],
    ),
    ...Array.from(modules, ([name, { hash }]) => `module ${name} ${hash}`),
  ].join("\n");
  return {
    config,
    rules,
    mcpJson,
    lines: {
      config: problemOr(config, [...all.toSorted(byWeight).map(({ text }) => text), ...moduleLines(modules)]),
      rules: problemOr(rules, ruled),
      mcpJson: problemOr(mcpJson, [...(usable(mcpJson)?.problems ?? []), ...ofMcpJson.map(({ text }) => text)]),
    },
    risky,
    protection: protectionOf({ values, profiles }, usable(rules) ?? {}),
    modules,
    servers,
    hooks,
  };
}

/** Where the hooks of a project run: the folder that configures them. */
export function hookFolder({ config }: Pick<ProjectFiles, "config">): string {
  return dirname(dirname(config));
}

async function hooksOf(config: Reading<Config>, folder: string): Promise<readonly HookProgram[]> {
  const hooks = usable(config)?.hooks ?? [];
  const files = await hookFiles(folder, hooks);
  return hooks.map((hook, index) => ({ ...hook, files: files[index] ?? new Map<string, string>() }));
}

/** A short text that changes with what a configuration could run, reach or leave unprotected; empty if that is nothing. */
export async function digestOf({ risky }: Pick<Review, "risky">): Promise<string> {
  if (risky === "") return "";
  const { createHash } = await import("node:crypto");
  return createHash("sha256").update(risky).digest("hex");
}

/** @throws UsageError for a file that cannot be used */
export function valueOrThrow<T>(reading: Reading<T>): T | undefined {
  if (reading && "error" in reading) throw reading.error;
  return reading?.value;
}

function usable<T>(reading: Reading<T>): T | undefined {
  return reading && "value" in reading ? reading.value : undefined;
}

function readingOf<T>(file: string, limits: FileLimits, read: (text: string) => T): Reading<T> {
  try {
    const text = readRegularText(file, limits);
    return text === undefined ? undefined : { value: read(text) };
  } catch (error) {
    if (error instanceof UsageError) return { error };
    throw error;
  }
}

/** With what the files hold that the values name: a project names files of its own, and they count as they were reviewed. */
function withFiles(config: Config, limits: FileLimits): Config {
  const profiles = Object.entries(config.profiles).map(([name, own]) => [name, withFilesOf(own, limits)]);
  return { ...config, values: withFilesOf(config.values, limits), profiles: Object.fromEntries(profiles) };
}

function withFilesOf(values: Values, limits: FileLimits): Values {
  const { prices, system } = values;
  return {
    ...values,
    ...(typeof prices === "string" && { prices: readPrices(prices, limits) }),
    // A text that begins with @ would name a file.
    ...(typeof system === "string" && { system: systemText(system, limits).replace(/^@/, " @") }),
  };
}

/** The limit of tools is no risk, and servers are. */
function mcpLines(mcp: McpSettings | undefined, servers: readonly ReviewedServer[]): Line[] {
  const { findAbove } = mcp ?? {};
  const limit = findAbove === undefined ? [] : [{ text: `mcp.findAbove = ${findAbove}`, isRisky: false }];
  return [...limit, ...serverLines(servers)];
}

/** Each server whole: what it runs or where it is, and which variables it gets. */
function serverLines(servers: readonly ReviewedServer[]): Line[] {
  return servers.flatMap(({ name, entry, files }) => {
    const run = Array.from(files, ([file, state]) => `server ${name} runs ${quoted(file)}, now ${state.slice(0, 64)}`);
    return [`server ${name} = ${quoted(entry)}`, ...run].map((text) => ({ text, isRisky: true }));
  });
}

interface Line {
  readonly text: string;
  readonly isRisky: boolean;
}

function linesOf(path: string, values: Values): Line[] {
  return settingNames
    .filter((name) => values[name] !== undefined)
    .map((name) => ({
      text: `${path}${name} = ${quoted(values[name])}`,
      isRisky: optionRow(name).isRisky === true,
    }));
}

function hookLines({ files, ...hook }: HookProgram, index: number): Line[] {
  const run = Array.from(
    files ?? [],
    ([file, state]) => `hooks[${index}] runs ${quoted(file)}, now ${state.slice(0, 64)}`,
  );
  return [`hooks[${index}] = ${quoted(hook)}`, ...run].map((text) => ({ text, isRisky: true }));
}

/** What matters last, where the question follows, and of that the long values first: none pushes another off the screen. */
function byWeight(one: Line, other: Line): number {
  return Number(one.isRisky) - Number(other.isRisky) || other.text.length - one.text.length;
}

function ruleLines({ allow = [], ask = [], deny = [] }: Rules): string[] {
  return Object.entries({ deny, ask, allow }).flatMap(([list, rules]) =>
    rules.map((rule) => `${list} ${quoted(rule)}`),
  );
}

function problemOr(reading: Reading<unknown>, lines: readonly string[]): readonly string[] {
  return reading && "error" in reading ? [reading.error.message] : lines;
}
