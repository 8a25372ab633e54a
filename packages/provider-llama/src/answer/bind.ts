import { turnGrammar } from "@cogency/protocol/grammar";
import type { IgnoredEvent, ModelRequest } from "@cogency/provider";
import type { LlamaGrammar, LlamaGrammarEvaluationState } from "node-llama-cpp";
import type { Engine } from "../engine/engine.ts";
import { firstLine } from "../engine/library.ts";
import type { Prompt } from "../prompt/prompt.ts";

/** What an answer is bound to. */
export interface Bound {
  /** Where the answer stands in its language; absent for an answer that is free. */
  readonly state?: LlamaGrammarEvaluationState;
  /** Why a language that was asked for does not bind the answer. */
  readonly ignored?: IgnoredEvent;
}

/** Binds the answer to the language of the request, or to its format. */
export async function bind(engine: Engine, { grammar, format }: ModelRequest, prompt: Prompt): Promise<Bound> {
  const { library, model } = engine;
  const start = (grammar: LlamaGrammar): Bound => ({
    state: new library.LlamaGrammarEvaluationState({ model, grammar }),
  });
  if (format) return start(await engine.llama.createGrammarForJsonSchema(format as never));
  if (!grammar) return {};
  // A template that has begun a thought wants it to end as those of the language do.
  const begun = prompt.isThinking && prompt.thought?.close === "</think>";
  try {
    return start(await compiled(engine, turnGrammar(begun ? { ...grammar, startIn: "think" } : grammar)));
  } catch (error) {
    const message = `llama.cpp does not take the grammar of the tools (${firstLine(error)}): the answer is free.`;
    return { ignored: { type: "ignored", setting: "grammar", message } };
  }
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
