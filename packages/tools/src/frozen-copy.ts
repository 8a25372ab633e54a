import type { Json } from "@cogency/protocol";

/**
 * A deep, frozen copy. Members that are undefined are left out, as in JSON. The value must not have cycles or be nested too
 * deep for recursion.
 */
export function frozenCopy<T extends Json>(value: T): T;
export function frozenCopy(value: Json): Json {
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item))) as Json[];
  if (value === null || typeof value !== "object") return value;
  const members: [string, Json][] = [];
  for (const [key, inner] of Object.entries(value)) if (inner !== undefined) members.push([key, frozenCopy(inner)]);
  // `fromEntries` defines each key, so that a key `__proto__` stays plain data.
  return Object.freeze(Object.fromEntries(members));
}
