import { dirname, join, resolve } from "node:path";
import { configurationFolder } from "../../base/configuration-folder.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { McpSettings } from "../mcp/server-entry.ts";
import type { Config, Values } from "./config.ts";
import { configProblem } from "./config-problem.ts";
import type { ExtensionEntry } from "./tool-entries.ts";

/** The configuration of the user. */
export function userConfigFile(): string {
  return join(configurationFolder(), "config.json");
}

/**
 * Reads a configuration.
 *
 * @returns undefined if there is no such file
 * @throws UsageError with the file and the line or the key that is wrong
 */
export function readConfig(file: string): Config | undefined {
  const text = readRegularText(file);
  return text === undefined ? undefined : configOf(file, text);
}

/** @throws UsageError as `readConfig` does */
export function configOf(file: string, text: string): Config {
  const content = parseJson(file, text);
  const problem = configProblem(content);
  if (problem !== undefined) throw new UsageError(`${oneLine(file, 300)}: ${oneLine(problem, 400)}`);
  const { $schema, profiles = {}, hooks = [], mcp, ...values } = content as FileContent;
  const folder = dirname(file);
  const placed = Object.entries(profiles).map(([name, own]) => [name, withPaths(own, folder)] as const);
  return { file, values: withPaths(values, folder), profiles: Object.fromEntries(placed), hooks, ...(mcp && { mcp }) };
}

interface FileContent {
  readonly $schema?: string;
  readonly profiles?: Record<string, Values>;
  readonly hooks?: Config["hooks"];
  readonly mcp?: McpSettings;
  readonly [name: string]: unknown;
}

/** Paths in a file start from the folder that it stands in. */
function withPaths(values: Values, folder: string): Values {
  const { provider, prices, store, system, tools } = values;
  const isModule = typeof provider === "string" && isOfFolder(provider);
  // What may be a mistyped address stays as it is, and is refused where the store is opened.
  const isFile = typeof store === "string" && (/^\.{1,2}\//.test(store) || /^[^:=?@]+$/.test(store));
  return {
    ...values,
    ...(isModule && { provider: resolve(folder, provider) }),
    ...(Array.isArray(tools) && { tools: tools.map((entry) => placedEntry(entry, folder)) }),
    ...(typeof prices === "string" && { prices: resolve(folder, prices) }),
    ...(isFile && { store: resolve(folder, store) }),
    ...(typeof system === "string" && system.startsWith("@") && { system: `@${resolve(folder, system.slice(1))}` }),
  };
}

function isOfFolder(path: string): boolean {
  return /^\.{0,2}\//.test(path);
}

function placedEntry(entry: string | ExtensionEntry, folder: string): string | ExtensionEntry {
  if (typeof entry !== "string") return { ...entry, use: String(placedEntry(entry.use, folder)) };
  return isOfFolder(entry) ? resolve(folder, entry) : entry;
}
