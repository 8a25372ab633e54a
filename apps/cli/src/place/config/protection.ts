import type { Rules } from "../rules/rules.ts";
import type { Config, Values } from "./config.ts";
import { isSettingName, type SettingName } from "./option-table.ts";
import { builtInEntries } from "./tool-entries.ts";

/** What of a configuration keeps the agent from doing more: values and rules without which a run would be less protected. */
export interface Protection {
  readonly values: Values;
  /** Of the profiles that protect. An earlier version kept none. */
  readonly profiles?: { readonly [name: string]: Values };
  /** The profile that it chooses, unless this one is its own and does not protect. */
  readonly profile?: string | undefined;
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** @returns undefined if nothing protects */
export function protectionOf(
  { values, profiles }: Pick<Config, "values" | "profiles">,
  { ask = [], deny = [] }: Rules,
): Protection | undefined {
  const own = Object.entries(profiles).map(([name, one]) => [name, protectiveOf(one)] as const);
  const protective = Object.fromEntries(own.filter(([, one]) => Object.keys(one).length > 0));
  const chosen = typeof values.profile === "string" ? values.profile : undefined;
  // One that it does not define is the user's own, and may protect.
  const profile =
    chosen === undefined || (Object.hasOwn(profiles, chosen) && !Object.hasOwn(protective, chosen))
      ? undefined
      : chosen;
  const kept = { values: protectiveOf(values), profiles: protective, profile, ask, deny };
  const isSomething = [kept.values, protective, ask, deny].some((one) => Object.keys(one).length > 0);
  return isSomething || profile !== undefined ? kept : undefined;
}

/** The values that protect, of those of a configuration or of a profile. */
export function protectiveOf(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => isSettingName(name) && protects[name]?.(value)),
  );
}

const always = () => true;
const only = (wanted: unknown) => (value: unknown) => value === wanted;
const notThe = (unwanted: unknown) => (value: unknown) => value !== unwanted;

/** Which values protect, also against a weaker place that says something else. */
const protects: { readonly [name in SettingName]?: (value: unknown) => boolean } = {
  maxSteps: always,
  maxTokens: always,
  maxCalls: always,
  maxFailedCalls: always,
  maxRepeats: always,
  maxFailures: always,
  askAfterSteps: always,
  askAfterMinutes: always,
  maxCost: always,
  maxSeconds: always,
  maxCommandSeconds: always,
  access: notThe("system"),
  // Modules of one's own add tools. Only names leave others out.
  tools: (value) => Array.isArray(value) && builtInEntries(value) !== undefined,
  readOnly: only(true),
  mode: (value) => value === "ask" || value === "plan" || value === "read-only",
  sandbox: notThe("off"),
  network: (value) => Array.isArray(value) && value.length === 0,
  untrusted: always,
  recall: only("project"),
  redact: only(true),
  yes: only(false),
  deny: only(true),
  wait: only(false),
  content: only("ask"),
  contextFiles: only(false),
};
