import type { ModelRequest } from "@cogency/provider";
import type { LlamaText, Token } from "node-llama-cpp";
import type { Engine } from "../engine/engine.ts";
import { chatHistory } from "./chat-history.ts";

/** What the model reads, and how its answer is read. */
export interface Prompt {
  readonly tokens: Token[];
  /** Texts that end an answer, by the template. */
  readonly ends: readonly string[];
  /** The tags around a thought, if the template has thoughts. */
  readonly thought: ThoughtTags | undefined;
  /** Whether the prompt ends inside of a thought. */
  readonly isThinking: boolean;
}

export interface ThoughtTags {
  /** Such as `<think>`. */
  readonly open: string;
  readonly close: string;
}

/** Tokens at the end of a prompt in which the tag of a thought is looked for. */
const tail = 32;

/** Writes a request by the chat template of the model. Texts of the conversation never become tokens that mean something to the model. */
export function makePrompt(engine: Engine, request: ModelRequest): Prompt {
  const { chat, model } = engine;
  const state = chat.generateContextState({ chatHistory: chatHistory(request) });
  const text = (llamaText: LlamaText): string => model.detokenize(llamaText.tokenize(model.tokenizer), true).trim();
  const ends = state.stopGenerationTriggers.map(text).filter((end) => end !== "");
  const thought = thoughtTags(engine, text);
  const begun = state.contextText.tokenize(model.tokenizer);
  const opens = thought?.prefix !== undefined && chat.settings.segments?.thought?.openOnResponseStart === true;
  const tokens = opens && !endsWith(engine, begun, thought.open) ? [...begun, ...thought.prefix] : begun;
  const isThinking = thought !== undefined && endsWith(engine, tokens, thought.open);
  return { tokens, ends, thought, isThinking };
}

function thoughtTags({ library, chat, model }: Engine, text: (llamaText: LlamaText) => string) {
  const { prefix, suffix } = chat.settings.segments?.thought ?? {};
  if (suffix === undefined) return undefined;
  const close = text(library.LlamaText(suffix));
  if (close === "") return undefined;
  // Without a text of its own, the template writes the opening tag into the prompt: it is the closing one without its slash.
  if (prefix === undefined || (typeof prefix === "object" && "type" in prefix)) {
    return { open: close.replace("/", ""), close, prefix: undefined };
  }
  const opening = library.LlamaText(prefix);
  return { open: text(opening), close, prefix: opening.tokenize(model.tokenizer) };
}

function endsWith({ model }: Engine, tokens: readonly Token[], tag: string): boolean {
  return model.detokenize(tokens.slice(-tail), true).trimEnd().endsWith(tag);
}
