import { thinkingLevels } from "@cogency/provider";
import { type EffectFields, runEffectFields } from "@cogency/tools/host";
import type { AgentHook } from "./agent-hook.ts";

/** The points of the loop at which hooks are called. The executor calls those around tools. */
export type LoopPoint = Exclude<keyof AgentHook, "name" | "priority" | "beforeToolUse" | "afterToolUse">;

const isText = (value: unknown) => typeof value === "string";
/** What the model is to read. Providers refuse a message without any. */
const isWords = (value: unknown) => typeof value === "string" && value.trim() !== "";
const isNumber = (value: unknown) => Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 1;
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isProvider = (value: unknown) =>
  isObject(value) &&
  typeof value.stream === "function" &&
  isText(value.name) &&
  isText(value.model) &&
  isObject(value.capabilities);
const isThinkingLevel = (value: unknown) => thinkingLevels.some((level) => level === value);
const isDriver = (value: unknown) => isObject(value) && typeof value.begin === "function" && isObject(value.batch);

const isContents = (value: unknown) =>
  Array.isArray(value) &&
  value.every((one) => isObject(one) && (one.holds === "untrusted" || one.holds === "private") && isText(one.source));

const { patch, stop } = runEffectFields;
const end = { patch };
const run = { patch, stop };
const request = {
  model: isText,
  maxOutputTokens: isCount,
  temperature: isNumber,
  thinking: isThinkingLevel,
  options: isObject,
};

/** What a hook may return at each point, and whether the run fails if it fails there. */
export const loopPoints: Readonly<Record<LoopPoint, { isGuard: boolean; effect: EffectFields }>> = {
  beforePrompt: { isGuard: true, effect: { ...end, refuse: isWords } },
  beforeRun: { isGuard: true, effect: { ...run, notify: isWords, holds: isContents } },
  beforeStep: {
    isGuard: true,
    effect: {
      ...run,
      notify: isWords,
      holds: isContents,
      provider: isProvider,
      driver: isDriver,
      request,
      tools: (value) => Array.isArray(value) && value.every(isText),
    },
  },
  beforeRequest: { isGuard: true, effect: { ...run, request } },
  afterResponse: { isGuard: true, effect: run },
  onQuestion: { isGuard: false, effect: {} },
  afterStep: { isGuard: false, effect: { ...run, continue: isWords, holds: isContents } },
  onStop: { isGuard: false, effect: { ...run, continue: isWords, holds: isContents } },
  onError: { isGuard: false, effect: end },
  afterRun: { isGuard: false, effect: end },
};

/** The names of all points, also of those around tools. */
export const hookPoints: readonly string[] = [...Object.keys(loopPoints), "beforeToolUse", "afterToolUse"];
