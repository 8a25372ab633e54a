import { messageOf } from "./message-of.ts";

/**
 * The message of a thrown value with its causes: `fetch failed: connect ECONNREFUSED 127.0.0.1:1`. Causes and the members of
 * an AggregateError follow in one line, except those that the message already holds. An error with `hidesCause: true` is
 * described without them. Empty if there is no message, undefined if it cannot be read. Never throws.
 */
export function describeError(thrown: unknown): string | undefined {
  const message = messageOf(thrown);
  if (message === undefined || typeof thrown !== "object" || thrown === null) return message;
  try {
    const causes = causesOf(thrown, new Set([thrown]), 1);
    if (causes === "" || message.includes(causes)) return message;
    return joined(message, causes.length > longest ? `${causes.slice(0, longest)}…` : causes);
  } catch {
    return message;
  }
}

/** The causes of an error in one line. `seen` holds the errors described so far: an error may be its own cause. */
function causesOf(error: object, seen: Set<unknown>, depth: number): string {
  if (depth > deepest || seen.size > most || read(error, "hidesCause") === true) return "";
  const members = read(error, "errors");
  const behind = [read(error, "cause"), ...(Array.isArray(members) ? members.slice(0, mostMembers) : [])];
  const texts = behind.map((cause) => lineOf(cause, seen, depth)).filter((text) => text !== "");
  const more = Array.isArray(members) ? members.length - mostMembers : 0;
  return [...new Set(texts), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function lineOf(cause: unknown, seen: Set<unknown>, depth: number): string {
  if (cause === undefined || cause === null || typeof cause === "function" || seen.has(cause)) return "";
  if (typeof cause !== "object") return oneLine(String(cause));
  seen.add(cause);
  const code = read(cause, "code");
  const own = oneLine(messageOf(cause) || (typeof code === "string" ? code : ""));
  const inner = causesOf(cause, seen, depth + 1);
  return inner === "" || own.includes(inner) ? own : joined(own, inner);
}

function joined(outer: string, inner: string): string {
  if (outer === "" || inner.startsWith(outer)) return inner;
  return `${outer.replace(/[\s.:]+$/, "")}: ${inner}`;
}

function oneLine(text: string): string {
  return text.slice(0, longest).replace(/\s+/g, " ").trim();
}

/** Reads a property; a getter of a thrown object may throw. */
function read(holder: object, key: string): unknown {
  try {
    return (holder as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** Levels of causes. */
const deepest = 8;
const mostMembers = 5;
/** Errors that are described in all. */
const most = 50;
/** Characters of all causes. */
const longest = 1000;
