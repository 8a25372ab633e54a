import type OpenAI from "openai";

export type Chunk = OpenAI.ChatCompletionChunk;

/**
 * Whether an event can be read as a chunk of an answer: it has objects and lists where the wire has them. Servers leave
 * out what they do not need, or send null for it.
 */
export function isChunk(value: unknown): value is Chunk {
  if (!isObject(value)) return false;
  const choices = value.choices ?? [];
  return Array.isArray(choices) && choices.every(isChoice);
}

function isChoice(value: unknown): boolean {
  if (!isObject(value)) return false;
  const delta = value.delta ?? {};
  if (!isObject(delta)) return false;
  const calls = delta.tool_calls ?? [];
  return Array.isArray(calls) && calls.every(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
