import { Rules } from "./gbnf/rules.ts";
import { jsonBlock } from "./json-block.ts";
import { replyRules, thoughtRules } from "./text/free-text.ts";
import type { TurnLanguage } from "./turn-language.ts";

/**
 * Writes the grammar of a whole answer in GBNF, the notation of llama.cpp: thoughts, text, and at the end a block of calls or
 * `<end>`, or neither. Every text of it reads without an error, and the arguments of its calls fit the schemas of the tools
 * as far as a grammar can say (docs/grammar.md). The same language gives the same text.
 */
export function turnGrammar(language: TurnLanguage): string {
  const rules = new Rules();
  const block = jsonBlock(language, rules);
  replyRules(rules, "reply", { reply: "reply", think: "thought", block }, false);
  thoughtRules(rules, "thought", "reply");
  if (language.startIn === "think") return rules.toString("thought");
  replyRules(rules, "first", { reply: "reply", think: "thought", block }, true);
  return rules.toString("first");
}
