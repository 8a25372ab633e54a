import type { HookTrigger } from "./tool-hook.ts";

/**
 * How the executor checks what hooks return: `"off"` does not, `"report"` tells observers of a breach, `"strict"` also
 * ends the batch.
 */
export type HookChecks = "off" | "report" | "strict";

/** The path of the first part of a returned value that the trigger does not admit, such as `call.id`. */
export function contractBreach(trigger: HookTrigger, effect: unknown): string | undefined {
  if (effect === undefined) return undefined;
  if (!isRecord(effect)) return "the returned value";
  return breachOf(effect, fields[trigger], "");
}

type Check = ((value: unknown) => boolean) | { [field: string]: Check };

const isText = (value: unknown) => typeof value === "string";
const anything = () => true;

const shared = {
  patch: (value: unknown) => typeof value === "function" || isRecord(value),
  stop: { reason: isText, message: isText, context: (value: unknown) => isRecord(value), source: isText },
};

/** The fields that each trigger may return, with their types. */
const fields: Record<HookTrigger, Check & object> = {
  beforeToolUse: { ...shared, block: isText, call: { name: isText, args: (value: unknown) => isRecord(value) } },
  afterToolUse: {
    ...shared,
    replace: { value: anything, error: (value: unknown) => value instanceof Error },
  },
};

function breachOf(value: object, checks: Check, above: string): string | undefined {
  for (const [field, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const path = above + field;
    const check = Object.hasOwn(checks, field) ? (checks as { [field: string]: Check })[field] : undefined;
    if (check === undefined) return path;
    if (typeof check === "function") {
      if (!check(inner)) return path;
      continue;
    }
    const breach = isRecord(inner) ? breachOf(inner, check, `${path}.`) : path;
    if (breach !== undefined) return breach;
  }
  return undefined;
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
