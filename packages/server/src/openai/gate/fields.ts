import type { JsonObject } from "@cogency/protocol";
import { unsupported, wrong } from "../wire-problem.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** What a field of the body must be. A field that is null counts as absent. */
export interface FieldRule {
  readonly type: "string" | "number" | "boolean" | "object" | "array" | "any";
  /** Why a value of this type cannot be, in words that say what to do; undefined if it can. */
  refuses?(value: unknown): string | undefined;
}

/** @throws WireProblem for the first field that breaks its rule. Fields without a rule are ignored. */
export function checkFields(body: Fields, rules: Readonly<Record<string, FieldRule>>): void {
  for (const [name, { type, refuses }] of Object.entries(rules)) {
    const value = fieldOf(body, name);
    if (value === undefined) continue;
    if (type !== "any" && typeName(value) !== type) throw wrong(name, `give ${article[type]}`, "invalid_type");
    const why = refuses?.(value);
    if (why !== undefined) throw unsupported(name, why);
  }
}

/** The value of a field; undefined if it is absent or null. */
export function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? (fields[name] ?? undefined) : undefined;
}

export function textIn(fields: Fields, name: string, place: string): string {
  const text = fieldOf(fields, name);
  if (typeof text !== "string") throw wrong(`${place}${name}`, "give a string", "invalid_type");
  return text;
}

/** The name of a function: no model takes another. */
export function nameIn(fields: Fields, place: string): string {
  const name = textIn(fields, "name", place);
  if (!/^[\w-]{1,64}$/.test(name)) throw wrong(`${place}name`, "give 1 to 64 letters, digits, `_` or `-`");
  return name;
}

export function textOrNothing(fields: Fields, name: string, place: string): string | undefined {
  return fieldOf(fields, name) === undefined ? undefined : textIn(fields, name, place);
}

export function objectAt(value: unknown, param: string): Fields {
  if (typeName(value) !== "object") throw wrong(param, "give an object", "invalid_type");
  return value as Fields;
}

export function listAt(value: unknown, param: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(param, "give an array", "invalid_type");
  return value;
}

/**
 * The arguments of a call from the text of their JSON.
 *
 * @throws WireProblem for a text that is no JSON object, and one that is nested more than 256 levels deep (protocol.md P15)
 */
export function argumentsAt(text: string, param: string): JsonObject {
  const value = text.trim() === "" ? {} : parsed(text);
  if (typeName(value) !== "object") throw wrong(param, "give the text of a JSON object");
  if (isDeeperThan(value, 256)) throw wrong(param, "its JSON is nested more than 256 levels deep");
  return value as JsonObject;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

const article = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
} as const;
