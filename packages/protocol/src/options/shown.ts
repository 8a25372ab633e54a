/**
 * A short text for a value in an error message. It never throws, and never shows the text of a string: an option may have been given
 * a key by mistake.
 *
 * @example shown("sk-…") // "a string"
 * @example shown(20) // "20"
 */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  if (value instanceof Promise) return "a promise";
  if (typeof value === "object") return "an object";
  return typeof value === "number" || typeof value === "boolean" ? String(value) : `a ${typeof value}`;
}

/** Shortens a text for a message, and makes it well-formed. */
export function clipped(text: string): string {
  return (text.length > longest ? `${text.slice(0, longest)}…` : text).toWellFormed();
}

const longest = 80;
