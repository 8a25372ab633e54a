import type { JsonObject } from "@cogency/protocol";
import { structuralTag, type TurnLanguage, turnGrammar } from "@cogency/protocol/grammar";

/**
 * How a server takes the language of an answer.
 *
 * - `gbnf`: llama.cpp, the grammar of the whole answer as `grammar`
 * - `structured_outputs`: vLLM 0.12 and later, a structural tag as text in `structured_outputs`
 * - `response_format`: SGLang 0.5.4 and later, a structural tag as `response_format`
 * - `none`: not at all
 */
export type GrammarField = "gbnf" | "structured_outputs" | "response_format" | "none";

/** The fields of Chat Completions that bind an answer to the language; undefined for `none`. */
export function grammarFields(field: GrammarField): (language: TurnLanguage) => JsonObject | undefined {
  return (language) => {
    if (field === "none") return undefined;
    if (field === "gbnf") return { grammar: turnGrammar(language) };
    const tag = structuralTag(language);
    // Without tools, no part of the answer is bound.
    if (tag === undefined) return {};
    return field === "response_format"
      ? { response_format: tag }
      : { structured_outputs: { structural_tag: JSON.stringify(tag) } };
  };
}
