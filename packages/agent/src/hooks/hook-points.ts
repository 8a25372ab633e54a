import { type EffectFields, runEffectFields } from "@cogency/tools";
import type { AgentHook } from "./agent-hook.ts";

/** The points of the loop at which hooks are called. The executor calls those around tools. */
export type LoopPoint = Exclude<keyof AgentHook, "name" | "priority" | "beforeToolUse" | "afterToolUse">;

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number";
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const hasMethod = (name: string) => (value: unknown) =>
  isObject(value) && typeof (value as Record<string, unknown>)[name] === "function";

const { patch, stop } = runEffectFields;
const end = { patch };
const run = { patch, stop };
const request = { model: isText, maxOutputTokens: isNumber, temperature: isNumber, options: isObject };

/** What a hook may return at each point, and whether the run fails if it fails there. */
export const loopPoints: Readonly<Record<LoopPoint, { isGuard: boolean; effect: EffectFields }>> = {
  beforeRun: { isGuard: true, effect: { ...run, notify: isText } },
  beforeStep: {
    isGuard: true,
    effect: {
      ...run,
      notify: isText,
      provider: hasMethod("stream"),
      driver: hasMethod("begin"),
      request,
      tools: (value) => Array.isArray(value) && value.every(isText),
    },
  },
  beforeRequest: { isGuard: true, effect: { ...run, request } },
  afterResponse: { isGuard: true, effect: run },
  afterStep: { isGuard: false, effect: { ...run, continue: isText } },
  onStop: { isGuard: false, effect: { ...run, continue: isText } },
  onError: { isGuard: false, effect: end },
  afterRun: { isGuard: false, effect: end },
};

/** The names of all points, also of those around tools. */
export const hookPoints: readonly string[] = [...Object.keys(loopPoints), "beforeToolUse", "afterToolUse"];
