import type { OutputUnit, Schema } from "@cfworker/json-schema";
import type { Json, JsonSchema } from "@cogency/protocol";
import { clipped } from "@cogency/protocol/options";
import type { Issue, Validation } from "../validation.ts";
import { fillDefaults, hasDefault } from "./fill-defaults.ts";
import { issuePath } from "./issue-path.ts";
import { schemaCheck } from "./schema-check.ts";
import { subschemas } from "./subschemas.ts";

/**
 * Checks values against plain JSON Schema by interpreting it: nothing is compiled, so it runs where code generation is
 * forbidden. Absent properties get their `default` first. Draft 2020-12 unless `$schema` names an older one. What takes more than a
 * million steps throws a RangeError.
 *
 * @throws Error if a `$ref` of the schema leads nowhere, or a `default` does not fit
 */
export function jsonSchemaValidator(source: JsonSchema): (value: Json) => Validation {
  // A copy, because the check writes into the schema.
  const schema: Schema = structuredClone(source);
  const check = schemaCheck(schema);
  const withDefault = subschemas(schema).filter(hasDefault);
  for (const part of withDefault) {
    const result = check(fillDefaults(part.default, part, schema), part);
    if (!result.valid) throw new Error(misfit(part.default, result.errors));
  }
  return (given) => {
    const value = withDefault.length === 0 ? given : fillDefaults(given, schema, schema);
    const result = check(value);
    return result.valid ? { ok: true, args: value } : { ok: false, issues: issuesOf(result.errors, value) };
  };
}

/**
 * Checks values against plain JSON Schema, as it is: no default is filled in. Gives the first thing that is wrong.
 *
 * @throws Error if a `$ref` of the schema leads nowhere
 */
export function jsonSchemaCheck(source: JsonSchema): (value: Json) => string | undefined {
  const check = schemaCheck(structuredClone(source), { stopsEarly: true });
  return (value) => {
    const { valid, errors } = check(value);
    if (valid) return undefined;
    const [issue] = issuesOf(errors, value);
    return issue?.path ? `${issue.path}: ${issue.message}` : (issue?.message ?? "it does not fit");
  };
}

function misfit(value: Json, errors: readonly OutputUnit[]): string {
  const [issue] = issuesOf(errors, value);
  const path = issue?.path ? `${issue.path}: ` : "";
  return `the default ${clipped(JSON.stringify(value))} does not fit its own schema: ${path}${issue?.message}`;
}

/** One issue a path. Demands of alternatives are joined by "or", demands that hold together by "and". */
function issuesOf(errors: readonly OutputUnit[], value: Json): Issue[] {
  const messages = new Map<string, { texts: Set<string>; isChoice: boolean }>();
  for (const [index, unit] of errors.entries()) {
    if (isSummary(unit, errors[index + 1])) continue;
    const { path, message } = toIssue(unit, value);
    const known = messages.get(path) ?? { texts: new Set(), isChoice: false };
    known.texts.add(message);
    known.isChoice ||= /\/(anyOf|oneOf)\//.test(unit.keywordLocation);
    messages.set(path, known);
  }
  return [...messages].map(([path, { texts, isChoice }]) => ({
    path,
    message: isChoice ? choice([...texts]) : [...texts].join(" and "),
  }));
}

/** Whether the unit only says that a part below it is wrong, which the next unit names. */
function isSummary(unit: OutputUnit, next: OutputUnit | undefined): boolean {
  if (unit.keyword === "if") return true;
  if (unit.keyword === "oneOf" && !unit.error.includes("(0 matches)")) return false;
  return next?.keywordLocation.startsWith(`${unit.keywordLocation}/`) ?? false;
}

function toIssue({ keyword, instanceLocation, error }: OutputUnit, value: Json): Issue {
  const keys = keysOf(instanceLocation, value);
  const missing = keyword === "required" ? /property "(.*)"\.$/s.exec(error)?.[1] : undefined;
  if (missing !== undefined) return { path: issuePath([...keys, missing]), message: "required" };
  return { path: issuePath(keys), message: wording(error) };
}

/** Turns a JSON pointer into keys, numbers for the items of arrays. */
function keysOf(pointer: string, value: unknown): PropertyKey[] {
  const keys: PropertyKey[] = [];
  let part = value;
  for (const token of pointer.split("/").slice(1)) {
    const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    keys.push(Array.isArray(part) ? Number(name) : name);
    part = typeof part === "object" && part !== null ? (part as Record<string, unknown>)[name] : undefined;
  }
  return keys;
}

/** Joins the messages of alternatives: `expected string or null, received number`. */
function choice(texts: readonly string[]): string {
  const received = /, received \w+$/.exec(texts[0] ?? "")?.[0];
  if (received === undefined || !texts.every((text) => text.endsWith(received))) return texts.join(" or ");
  const expected = texts.map((text) => text.slice("expected ".length, -received.length));
  return `expected ${expected.join(" or ")}${received}`;
}

function wording(error: string): string {
  const type = /^Instance type "(\w+)" is invalid\. Expected (.*)\.$/s.exec(error);
  if (type) return `expected ${type[2]?.replaceAll('", "', " or ").replaceAll('"', "")}, received ${type[1]}`;
  if (error === "False boolean schema.") return "not allowed";
  const sentence = error
    .replace(/^Instance does not match any of \[(.*)\]\.$/s, "expected one of $1")
    .replace(/^Instance does not match ([^a-z].*)\.$/s, "expected $1")
    .replace(/^Instance /, "")
    .replace(/\.$/, "");
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
