import { readFile } from "node:fs/promises";
import { ruleFileOf } from "../approval/rule-file.ts";
import type { Rules } from "../approval/rules.ts";
import { moduleOf } from "../setup/provider/provider-file.ts";
import type { Values } from "./config.ts";
import { configOf } from "./config-file.ts";
import { settingNames, settingOf } from "./settings.ts";

/** What the configuration of a project says, as a person has to see it before it counts. */
export interface Review {
  /** Each value or rule on a line. */
  readonly config: readonly string[];
  readonly rules: readonly string[];
  /** What it could run, reach or send to whom, in one text; empty if it can do nothing of that. */
  readonly risky: string;
  /** The providers that it names, of which some are modules; paths are absolute. */
  readonly providers: readonly string[];
}

/** @param texts what the files hold; undefined for one that there is not */
export function reviewOf(
  files: { readonly config: string; readonly rules: string },
  texts: { readonly config: string | undefined; readonly rules: string | undefined },
): Review {
  const providers: string[] = [];
  const config = attempt(texts.config, (text) => configReview(files.config, text, providers));
  const rules = attempt(texts.rules, (text) => rulesReview(ruleFileOf(files.rules, text, false)));
  const risky = [config.risky, rules.risky].filter(Boolean).join("\n");
  return { config: config.lines, rules: rules.lines, risky, providers };
}

/**
 * A short text that changes with what a configuration could run; empty if it can run nothing. It covers the file of each provider module
 * that the configuration names, and not what that file imports.
 *
 * @param root where packages are looked for
 */
export async function digestOf({ risky, providers }: Review, root: string): Promise<string> {
  if (risky === "") return "";
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256").update(risky);
  for (const name of providers) {
    const file = await moduleOf(name, root);
    if (file === undefined) continue;
    // A module that is missing may be made later.
    const content = await readFile(file).catch(() => "");
    hash.update(`\nmodule ${name} ${createHash("sha256").update(content).digest("hex")}`);
  }
  return hash.digest("hex");
}

interface Part {
  readonly lines: readonly string[];
  readonly risky: string;
}

/** A file that cannot be used counts as risky as a whole, and the person reads why. */
function attempt(text: string | undefined, review: (text: string) => Part): Part {
  if (text === undefined) return { lines: [], risky: "" };
  try {
    return review(text);
  } catch (error) {
    return { lines: [(error as Error).message], risky: text };
  }
}

/** @param providers gets the providers that the configuration names */
function configReview(file: string, text: string, providers: string[]): Part {
  const { values, profiles } = configOf(file, text);
  const parts = [
    ["", values] as const,
    ...Object.entries(profiles).map(([name, own]) => [`profiles.${name}.`, own] as const),
  ];
  const lines = parts.flatMap(([path, own]) =>
    Object.entries(own).map(([name, value]) => `${path}${name} = ${shown(value)}`),
  );
  providers.push(...parts.flatMap(([, { provider }]) => (typeof provider === "string" ? [provider] : [])));
  return { lines, risky: parts.flatMap(([path, own]) => riskyLines(path, own)).join("\n") };
}

function riskyLines(path: string, values: Values): string[] {
  return settingNames
    .filter((name) => settingOf(name).isRisky && values[name] !== undefined)
    .map((name) => `${path}${name} = ${JSON.stringify(values[name])}`);
}

function rulesReview({ allow = [], ask = [], deny = [] }: Rules): Part {
  const lines = Object.entries({ allow, ask, deny }).flatMap(([list, rules]) => rules.map((rule) => `${list} ${rule}`));
  return { lines, risky: allow.map((rule) => `allow ${rule}`).join("\n") };
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
