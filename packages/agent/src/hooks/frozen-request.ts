import type { ModelRequest } from "@cogency/provider";

/**
 * A frozen copy of a request, for hooks: what they change of it would be sent, or would stand in later requests. Messages and tools, which
 * never change, are copied once.
 */
export function frozenRequest({ messages, tools, ...settings }: ModelRequest): ModelRequest {
  return Object.freeze({
    ...frozen(settings),
    messages: Object.freeze(messages.map(copyOnce)) as ModelRequest["messages"],
    ...(tools && { tools: copyOnce(tools) }),
  });
}

/** The copies of messages and of lists of tools. */
const copies = new WeakMap<object, object>();

function copyOnce<T extends object>(value: T): T {
  const copy = copies.get(value) ?? frozen(value);
  copies.set(value, copy);
  return copy as T;
}

/** A frozen copy of plain data, at any depth. */
function frozen<T>(value: T): T;
function frozen(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozen(item)));
  if (typeof value !== "object" || value === null) return value;
  // `fromEntries` defines each key, so that a key `__proto__` stays plain data.
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozen(inner)])));
}
