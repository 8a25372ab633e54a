import { nearestNames } from "@cogency/protocol/options";
import { isPlainObject } from "./plain-object.ts";

/**
 * Refuses unknown options: if a misspelt one were ignored, its author would believe that it holds. Options that are undefined
 * count as absent, and an instance of a class may have other fields.
 *
 * @throws TypeError with the option, where it stands, and the name that was probably meant
 */
export function refuseUnknownOptions(where: string, given: unknown, valid: readonly string[]): void {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new TypeError(`${where} takes an object with ${listed(valid)}, not ${shown(given)}.`);
  }
  for (const name in given) {
    if (valid.includes(name)) continue;
    const value = (given as Record<string, unknown>)[name];
    if (value === undefined || !isPlainObject(given)) continue;
    const near = nearestNames(name, valid);
    const meant = near.length > 0 ? ` Did you mean ${quoted(near).join(" or ")}?` : "";
    const problem = `${where} has no option \`${clipped(name)}\` (given: ${shown(value)}).`;
    throw new TypeError(`${problem}${meant} Valid names: ${listed(valid)}.`);
  }
}

/** @throws RangeError unless the value is absent or one of the valid ones */
export function checkChoice(name: string, value: unknown, valid: readonly string[]): void {
  if (value === undefined || valid.includes(value as string)) return;
  const near = typeof value === "string" ? nearestNames(value, valid) : [];
  const meant = near[0] === undefined ? "" : ` Did you mean "${near[0]}"?`;
  throw new RangeError(`${name} is ${shown(value)}; give one of ${valid.map((one) => `"${one}"`).join(", ")}.${meant}`);
}

/** @throws TypeError unless the value is absent or of the type */
export function checkType(name: string, value: unknown, type: "boolean" | "function" | "number" | "string"): void {
  if (value === undefined || typeof value === type) return;
  throw new TypeError(`${name} is ${shown(value)}; give a ${type}.`);
}

/** @throws TypeError unless the value is absent or a list */
export function checkList(name: string, value: unknown): void {
  if (value === undefined || Array.isArray(value)) return;
  throw new TypeError(`${name} is ${shown(value)}; give an array.`);
}

/** A short text for a value in an error message. Never throws. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(clipped(value));
  if (typeof value === "bigint") return clipped(`${value}n`);
  if (typeof value === "symbol") return clipped(String(value));
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}

/** Advice on what to write instead of an unknown name. */
export function advice(wrong: string, valid: readonly string[]): string {
  const near = nearestNames(wrong, valid);
  return near.length > 0 ? `did you mean ${quoted(near).join(" or ")}?` : `valid names: ${listed(valid)}.`;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : "";
  return `${quoted(names.slice(0, mostListed)).join(", ")}${more}`;
}

const mostListed = 20;

function quoted(names: readonly string[]): string[] {
  return names.map((name) => `\`${clipped(name)}\``);
}

/** Shortens a text for a message, and makes it well-formed. */
export function clipped(text: string): string {
  return (text.length > longest ? `${text.slice(0, longest)}…` : text).toWellFormed();
}

const longest = 80;
