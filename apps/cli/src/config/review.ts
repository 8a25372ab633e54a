import { ruleFileOf } from "../approval/rule-file.ts";
import type { Rules } from "../approval/rules.ts";
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
}

/** @param texts what the files hold; undefined for one that there is not */
export function reviewOf(
  files: { readonly config: string; readonly rules: string },
  texts: { readonly config: string | undefined; readonly rules: string | undefined },
): Review {
  const config = attempt(texts.config, (text) => configReview(files.config, text));
  const rules = attempt(texts.rules, (text) => rulesReview(ruleFileOf(files.rules, text, false)));
  return { config: config.lines, rules: rules.lines, risky: [config.risky, rules.risky].filter(Boolean).join("\n") };
}

/** A short text that changes with what a configuration could run; empty if it can run nothing. */
export async function digestOf({ risky }: Review): Promise<string> {
  if (risky === "") return "";
  const { createHash } = await import("node:crypto");
  return createHash("sha256").update(risky).digest("hex");
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

function configReview(file: string, text: string): Part {
  const { values, profiles } = configOf(file, text);
  const parts = [
    ["", values] as const,
    ...Object.entries(profiles).map(([name, own]) => [`profiles.${name}.`, own] as const),
  ];
  const lines = parts.flatMap(([path, own]) =>
    Object.entries(own).map(([name, value]) => `${path}${name} = ${shown(value)}`),
  );
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
