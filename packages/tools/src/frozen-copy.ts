import type { Json } from "@cogency/protocol";

/**
 * A deep copy that nothing can change, without members that are undefined, as JSON has it. The value must be free of
 * cycles and of reasonable depth.
 */
export function frozenCopy<T extends Json>(value: T): T;
export function frozenCopy(value: Json): Json {
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item))) as Json[];
  if (value === null || typeof value !== "object") return value;
  const members: [string, Json][] = [];
  for (const [key, inner] of Object.entries(value)) if (inner !== undefined) members.push([key, frozenCopy(inner)]);
  // fromEntries defines each key, so that even a key `__proto__` stays plain data.
  return Object.freeze(Object.fromEntries(members));
}
