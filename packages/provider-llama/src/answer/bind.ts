import type { JsonSchema } from "@cogency/protocol";
import { schemaGrammar, turnGrammar } from "@cogency/protocol/grammar";
import { type IgnoredEvent, type ModelRequest, ProviderError } from "@cogency/provider";
import type { LlamaGrammar, LlamaGrammarEvaluationState } from "node-llama-cpp";
import type { Engine } from "../engine/engine.ts";
import { firstLine } from "../engine/library.ts";
import type { Prompt } from "../prompt/prompt.ts";

/** What an answer is bound to. */
export interface Bound {
  /** Where the answer stands in its language; absent for an answer that is free. */
  readonly state?: LlamaGrammarEvaluationState;
  /** Whether the answer may hold thoughts between the tags of the template. */
  readonly mayThink: boolean;
  /** Why a language that was asked for does not bind the answer. */
  readonly ignored?: IgnoredEvent;
}

/** Binds the answer to the format of the request, or to its language. */
export async function bind(engine: Engine, { grammar, format }: ModelRequest, prompt: Prompt): Promise<Bound> {
  // A template that has begun a thought wants it to end as those of the languages do.
  const startIn = prompt.isThinking && prompt.thought?.close === "</think>" ? "think" : "text";
  const what = format ? "format" : "tools";
  try {
    // JSON holds no thoughts, and a language its own.
    if (format) return await bound(engine, formatGrammar(format, startIn), startIn === "think");
    if (grammar) return await bound(engine, turnGrammar({ ...grammar, startIn }), prompt.isThinking);
    return { mayThink: true };
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const message = `llama.cpp does not take the grammar of the ${what} (${firstLine(error)}): the answer is free.`;
    return { mayThink: true, ignored: { type: "ignored", setting: "grammar", message } };
  }
}

function formatGrammar(format: JsonSchema, startIn: "text" | "think"): string {
  const text = schemaGrammar(format, startIn);
  if (text === undefined) throw new ProviderError("bad_request", "No value fits the format of the answer.");
  return text;
}

async function bound(engine: Engine, text: string, mayThink: boolean): Promise<Bound> {
  const { library, model } = engine;
  const grammar = await compiled(engine, text);
  return { state: new library.LlamaGrammarEvaluationState({ model, grammar }), mayThink };
}

/** Grammars that are kept compiled: an agent has one for its tools, and others for the agents that it starts. */
const mostKept = 8;

async function compiled({ llama, grammars }: Engine, text: string): Promise<LlamaGrammar> {
  const known = grammars.get(text) ?? (await llama.createGrammar({ grammar: text }));
  // The one that was used last stands last.
  grammars.delete(text);
  grammars.set(text, known);
  const [oldest] = grammars.keys();
  if (grammars.size > mostKept && oldest !== undefined) grammars.delete(oldest);
  return known;
}
