import type { Json } from "@cogency/protocol";
import { isPlainObject } from "../plain-object.ts";
import type { Issue } from "../validation.ts";
import { issuePath } from "./issue-path.ts";

/**
 * Why no tool may get these arguments, whatever its schema says: they are not a plain object, or hostile. Models, and callers
 * without a type checker, send any value.
 */
export function argumentsIssue(args: unknown): Issue | undefined {
  if (!isPlainObject(args)) return { path: "", message: `expected an object, received ${kindOf(args)}` };
  return hostileIssue(args);
}

/**
 * Why a value is too dangerous to copy, check or pass on: a key `__proto__`, nesting so deep that recursive code would
 * overflow the stack, or a part that JSON cannot hold, which no approval and no log could keep. Members that are undefined
 * count as absent. Undefined for a harmless value.
 */
export function hostileIssue(args: Json, deepest = maxDepth): Issue | undefined {
  const open: Node[] = [{ value: args, depth: 1, parent: undefined, key: "" }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { value, depth } = node;
    const kind = foreignKind(value);
    if (kind !== undefined) return { path: issuePath(keysTo(node)), message: `expected JSON, received ${kind}` };
    if (value === null || typeof value !== "object") continue;
    if (depth > deepest) return { path: "", message: `nested deeper than ${deepest} levels` };
    for (const [key, inner] of Object.entries(value)) {
      const child = { value: inner, depth: depth + 1, parent: node, key: Array.isArray(value) ? Number(key) : key };
      if (key === "__proto__") return { path: issuePath(keysTo(child)), message: "a key of this name is not allowed" };
      if (inner !== undefined || Array.isArray(value)) open.push(child);
    }
  }
  return undefined;
}

/** The name of a kind of value that JSON cannot hold; undefined for JSON. */
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

interface Node {
  value: Json;
  depth: number;
  parent: Node | undefined;
  key: PropertyKey;
}

function keysTo(node: Node): PropertyKey[] {
  const keys: PropertyKey[] = [];
  for (let step: Node | undefined = node; step?.parent; step = step.parent) keys.unshift(step.key);
  return keys;
}
