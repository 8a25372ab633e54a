import type { HookTrigger } from "./tool-hook.ts";

/** The path of the first part of a returned value that the trigger does not admit, such as `call.id`. */
export function contractBreach(trigger: HookTrigger, effect: unknown): string | undefined {
  return breachOf(effect, fields[trigger]);
}

/** The fields that a hook may return, each with a check of its value, or with the fields of that. */
export type EffectFields = { readonly [field: string]: ((value: unknown) => boolean) | EffectFields };

/** The path of the first part of a returned value that is not among the fields, or not as they say; undefined if there is none. */
export function breachOf(effect: unknown, fields: EffectFields): string | undefined {
  if (effect === undefined) return undefined;
  return isRecord(effect) ? breachIn(effect, fields, "") : "the returned value";
}

const isText = (value: unknown) => typeof value === "string";
const anything = () => true;

/** The fields that every hook may return that may change the run. */
export const runEffectFields = {
  patch: (value: unknown) => typeof value === "function" || isRecord(value),
  stop: { reason: isText, message: isText, context: (value: unknown) => isRecord(value), source: isText },
} as const satisfies EffectFields;

const answerFields = { value: anything, error: (value: unknown) => value instanceof Error } as const;

/** The fields that each trigger may return, with their types. */
const fields: Record<HookTrigger, EffectFields> = {
  beforeToolUse: {
    ...runEffectFields,
    block: isText,
    ask: (value: unknown) => typeof value === "string" && value.trim() !== "",
    call: { name: isText, args: (value: unknown) => isRecord(value) },
    answer: answerFields,
  },
  afterToolUse: {
    ...runEffectFields,
    replace: answerFields,
  },
};

function breachIn(value: object, checks: EffectFields, above: string): string | undefined {
  for (const [field, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const path = above + field;
    const check = Object.hasOwn(checks, field) ? checks[field] : undefined;
    if (check === undefined) return path;
    if (typeof check === "function") {
      if (!check(inner)) return path;
      continue;
    }
    const breach = isRecord(inner) ? breachIn(inner, check, `${path}.`) : path;
    if (breach !== undefined) return breach;
  }
  return undefined;
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
