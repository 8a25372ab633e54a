import type { Json } from "@cogency/protocol";
import { issuePath } from "./issue-path.ts";
import type { Issue } from "./schema.ts";

/**
 * What makes a value too dangerous to copy, check or pass on, whoever sent it: a key `__proto__`, or nesting so deep
 * that recursive code would overflow the stack. Undefined when there is nothing.
 */
export function hostileIssue(args: Json): Issue | undefined {
  const open: Place[] = [{ value: args, depth: 1, parent: undefined, key: "" }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, depth } = place;
    if (value === null || typeof value !== "object") continue;
    if (depth > maxDepth) return { path: "", message: `nested deeper than ${maxDepth} levels` };
    for (const [key, inner] of Object.entries(value)) {
      const child = { value: inner, depth: depth + 1, parent: place, key: Array.isArray(value) ? Number(key) : key };
      if (key === "__proto__") return { path: issuePath(keysTo(child)), message: "a key of this name is not allowed" };
      open.push(child);
    }
  }
  return undefined;
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
