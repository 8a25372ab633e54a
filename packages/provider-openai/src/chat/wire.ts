import { isObject } from "../wire-values.ts";
import type { WireCall } from "./calls.ts";
import type { WireUsage } from "./usage.ts";

/** A piece of an answer, as far as {@link isChunk} has looked: servers leave out what they do not need, or send null. */
export interface Chunk {
  choices?: readonly Choice[] | null;
  usage?: WireUsage | null;
}

export interface Choice {
  index?: number | null;
  delta?: Delta | null;
  /** Some servers send the whole answer once more at the end, or do not stream it at all. */
  message?: Delta | null;
  finish_reason?: string | null;
  usage?: WireUsage | null;
}

export interface Delta {
  content?: unknown;
  refusal?: unknown;
  /** DeepSeek, vLLM and SGLang. */
  reasoning_content?: unknown;
  /** OpenRouter and Ollama. */
  reasoning?: unknown;
  reasoning_details?: unknown;
  tool_calls?: readonly WireCall[] | null;
  /** From before there were tools. */
  function_call?: WireCall["function"];
}

/**
 * Whether an event can be read as a chunk of an answer: it has objects, lists, names and numbers where the wire has them.
 */
export function isChunk(value: unknown): value is Chunk {
  if (!isObject(value)) return false;
  const { choices, usage } = value;
  return (
    isAbsentOr(choices, Array.isArray) && isAbsentOr(usage, isObject) && ((choices as unknown[]) ?? []).every(isChoice)
  );
}

function isChoice(value: unknown): boolean {
  return (
    isObject(value) &&
    isAbsentOr(value.delta, isDelta) &&
    isAbsentOr(value.message, isDelta) &&
    isAbsentOr(value.finish_reason, isString) &&
    isAbsentOr(value.usage, isObject)
  );
}

function isDelta(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { tool_calls: calls, function_call: called } = value;
  if (!isAbsentOr(called, isCalled)) return false;
  return calls === undefined || calls === null || (Array.isArray(calls) && calls.every(isCall));
}

function isCall(value: unknown): boolean {
  return isObject(value) && isAbsentOr(value.id, isString) && isAbsentOr(value.function, isCalled);
}

function isCalled(value: unknown): boolean {
  return isObject(value) && isAbsentOr(value.name, isString);
}

function isAbsentOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || is(value);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}
