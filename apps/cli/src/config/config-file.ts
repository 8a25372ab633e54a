import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../errors/usage-error.ts";
import { configurationFolder } from "../setup/configuration-folder.ts";
import { oneLine } from "../terminal/text.ts";
import type { Config, Values } from "./config.ts";
import { configProblem } from "./config-problem.ts";

/** The configuration of the user. */
export function userConfigFile(): string {
  return join(configurationFolder(), "config.json");
}

/** @returns undefined if there is no such file @throws UsageError if it cannot be read */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code = "unknown" } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new UsageError(`${oneLine(file, 300)} cannot be read (${code}).`, { cause });
  }
}

/**
 * Reads a configuration.
 *
 * @returns undefined if there is no such file
 * @throws UsageError with the file and the line or the key that is wrong
 */
export function readConfig(file: string): Config | undefined {
  const text = readText(file);
  return text === undefined ? undefined : configOf(file, text);
}

/** @throws UsageError as `readConfig` does */
export function configOf(file: string, text: string): Config {
  const content = parsed(file, text);
  const problem = configProblem(content);
  if (problem !== undefined) throw new UsageError(`${oneLine(file, 300)}: ${oneLine(problem, 400)}`);
  const { $schema, profiles = {}, ...values } = content as { $schema?: string; profiles?: Record<string, Values> };
  const folder = dirname(file);
  const placed = Object.entries(profiles).map(([name, own]) => [name, withPaths(own, folder)] as const);
  return { file, values: withPaths(values, folder), profiles: Object.fromEntries(placed) };
}

/** @throws UsageError with the file, and the line where its JSON breaks off */
export function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    const line = text.slice(0, position).split("\n").length;
    const problem = /^\s*\/[/*]/m.test(text) ? "JSON has no comments" : message.replace(/ in JSON at position.*$/s, "");
    throw new UsageError(`${oneLine(file, 300)}, line ${line}: ${oneLine(problem, 200)}.`, { cause });
  }
}

/** Paths in a file start from the folder that it stands in. */
function withPaths(values: Values, folder: string): Values {
  const { provider, prices, store, system } = values;
  const isModule = typeof provider === "string" && /^\.{0,2}\//.test(provider);
  // What may be a mistyped address stays as it is, and is refused where the store is opened.
  const isFile = typeof store === "string" && (/^\.{1,2}\//.test(store) || /^[^:=?@]+$/.test(store));
  return {
    ...values,
    ...(isModule && { provider: resolve(folder, provider) }),
    ...(typeof prices === "string" && { prices: resolve(folder, prices) }),
    ...(isFile && { store: resolve(folder, store) }),
    ...(typeof system === "string" && system.startsWith("@") && { system: `@${resolve(folder, system.slice(1))}` }),
  };
}
