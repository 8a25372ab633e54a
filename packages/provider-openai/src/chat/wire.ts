import { isObject } from "@cogency/provider/http";
import type OpenAI from "openai";

export type ChatBody = OpenAI.ChatCompletionCreateParamsStreaming;

/** An event of a Chat Completions stream, as {@link isChunk} has checked it. Servers omit fields or send null. */
export interface Chunk {
  choices?: readonly Choice[] | null;
  usage?: WireUsage | null;
}

export interface Choice {
  index?: number | null;
  delta?: Delta | null;
  /** Some servers send the whole answer again at the end, or do not stream it at all. */
  message?: Delta | null;
  finish_reason?: string | null;
  /** Moonshot reports usage here. */
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
  /** The field that `tool_calls` replaced. */
  function_call?: WireCall["function"];
}

/** A piece of a call. Servers omit any of these fields or send null. */
export interface WireCall {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
  /** Gemini's: the signature of the thought that led to the call. */
  extra_content?: unknown;
}

export interface WireUsage extends Partial<OpenAI.CompletionUsage> {
  /** DeepSeek's. */
  prompt_cache_hit_tokens?: number | null;
}

/** Whether an event can be read as a chunk: objects, lists, names and numbers stand where the wire has them. */
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
  if (!isAbsentOr(called, isFunction)) return false;
  return calls === undefined || calls === null || (Array.isArray(calls) && calls.every(isCall));
}

function isCall(value: unknown): boolean {
  return isObject(value) && isAbsentOr(value.id, isString) && isAbsentOr(value.function, isFunction);
}

function isFunction(value: unknown): boolean {
  return isObject(value) && isAbsentOr(value.name, isString);
}

function isAbsentOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || is(value);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}
