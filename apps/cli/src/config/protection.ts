import type { Rules } from "../approval/rules.ts";
import type { Values } from "./config.ts";
import { isSettingName, type SettingName } from "./settings.ts";

/** What of a configuration keeps the agent from doing more: values and rules without which a run would be less protected. */
export interface Protection {
  readonly values: Values;
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** @returns undefined if nothing protects */
export function protectionOf(values: Values, { ask = [], deny = [] }: Rules): Protection | undefined {
  const kept = Object.entries(values).filter(([name, value]) => isSettingName(name) && protects[name]?.(value));
  if (kept.length + ask.length + deny.length === 0) return undefined;
  return { values: Object.fromEntries(kept), ask, deny };
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
  access: notThe("system"),
  tools: always,
  readOnly: only(true),
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
