import type { Json } from "@cogency/protocol";
import { isPlainObject } from "../plain-object.ts";
import type { Issue } from "../validation.ts";
import { issuePath } from "./issue-path.ts";

/**
 * Why a tool cannot have these arguments whatever its schema says: they are no plain object, or hostile. A caller without
 * a type checker, or a model, sends anything.
 */
export function argumentsIssue(args: unknown): Issue | undefined {
  if (!isPlainObject(args)) return { path: "", message: `expected an object, received ${kindOf(args)}` };
  return hostileIssue(args);
}

/**
 * What makes a value too dangerous to copy, check or pass on, whoever sent it: a key `__proto__`, nesting so deep that
 * recursive code would overflow the stack, or what JSON cannot hold, so that no approval could be bound to it and no log
 * keep it. A member that is undefined counts as absent. Undefined when there is nothing.
 */
export function hostileIssue(args: Json): Issue | undefined {
  const open: Place[] = [{ value: args, depth: 1, parent: undefined, key: "" }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, depth } = place;
    const kind = foreignKind(value);
    if (kind !== undefined) return { path: issuePath(keysTo(place)), message: `expected JSON, received ${kind}` };
    if (value === null || typeof value !== "object") continue;
    if (depth > maxDepth) return { path: "", message: `nested deeper than ${maxDepth} levels` };
    for (const [key, inner] of Object.entries(value)) {
      const child = { value: inner, depth: depth + 1, parent: place, key: Array.isArray(value) ? Number(key) : key };
      if (key === "__proto__") return { path: issuePath(keysTo(child)), message: "a key of this name is not allowed" };
      if (inner !== undefined || Array.isArray(value)) open.push(child);
    }
  }
  return undefined;
}

/** What a value is called that is no JSON. */
function foreignKind(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (value === null || typeof value === "string" || typeof value === "boolean" || Array.isArray(value))
    return undefined;
  return isPlainObject(value) ? undefined : kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? "an instance of a class" : typeof value;
}

/** Levels of nesting that arguments may have, as on the wire (protocol.md P15). */
const maxDepth = 256;

interface Place {
  value: Json;
  depth: number;
  parent: Place | undefined;
  key: PropertyKey;
}

function keysTo(place: Place): PropertyKey[] {
  const keys: PropertyKey[] = [];
  for (let step: Place | undefined = place; step?.parent; step = step.parent) keys.unshift(step.key);
  return keys;
}
