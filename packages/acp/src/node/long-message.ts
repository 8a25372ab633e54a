import type { AnyMessage, JsonRpcId } from "@agentclientprotocol/sdk";

/** What comes of a message that is too long to be read: an answer to its sender, or the failure of a request that waits for it. */
export type LongMessage =
  | { readonly to: "editor"; readonly message: AnyMessage }
  | { readonly to: "agent"; readonly message: AnyMessage };

/**
 * Finds out by its ends whose message it is.
 *
 * @param head the first characters of the line
 * @param tail the last ones
 */
export function longMessage(head: string, tail: string, mostBytes: number): LongMessage {
  const { members, next } = firstMembers(head);
  const id = idOf(members.id) ?? idOf(lastId(tail));
  const error = { code: -32600, message: `The message is longer than ${mostBytes / mebibyte} MiB, and was not read.` };
  // An answer names no method.
  const isAnswer = id !== undefined && members.method === undefined && (next === "result" || next === "error");
  return { to: isAnswer ? "agent" : "editor", message: { jsonrpc: "2.0", id: id ?? null, error } };
}

/** The plain members at the beginning of an object, and the name of the one that follows. */
function firstMembers(head: string): { members: Readonly<Record<string, unknown>>; next: string | undefined } {
  const [first = ""] = /^\s*\{(?:\s*"\w+"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d[\d.]*|null)\s*,)*/.exec(head) ?? [];
  const [, next] = /^\s*"(\w+)"/.exec(head.slice(first.length)) ?? [];
  return { members: parsed(first === "" ? "{}" : `${first.replace(/,$/, "")}}`), next };
}

/** The id at the end of an object, where some write it. */
function lastId(tail: string): unknown {
  const [, id] = /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$/.exec(tail) ?? [];
  return id === undefined ? undefined : parsed(`{"id":${id}}`).id;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function idOf(value: unknown): JsonRpcId | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

const mebibyte = 1024 * 1024;
