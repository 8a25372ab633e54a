/**
 * The same value with half characters (lone surrogates) replaced by U+FFFD, in every text and every key. Servers refuse a body
 * that holds one: `The request body is not valid JSON: no low surrogate in string` (anthropics/claude-code#6273). Whatever is
 * well-formed keeps its identity.
 */
export function wellFormed<T>(value: T): T {
  return repaired(value) as T;
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) {
    const items = value.map(repaired);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isPlain(value)) return value;
  const entries = Object.entries(value);
  const repairs = entries.map(([key, inner]): [string, unknown] => [key.toWellFormed(), repaired(inner)]);
  const isChanged = repairs.some(([key, inner], index) => key !== entries[index]?.[0] || inner !== entries[index]?.[1]);
  return isChanged ? Object.fromEntries(repairs) : value;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The same for the JSON text of a call's arguments, in which a half character may stand as an escape. Texts that hold none, or
 * are not JSON, are returned as they are.
 */
export function wellFormedJson(text: string): string {
  // In JSON only a lone surrogate needs this escape, and a pair written as two of them is rewritten without harm.
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text.toWellFormed();
  try {
    const value: unknown = JSON.parse(text);
    const whole = wellFormed(value);
    return whole === value ? text : JSON.stringify(whole);
  } catch {
    return text.toWellFormed();
  }
}
