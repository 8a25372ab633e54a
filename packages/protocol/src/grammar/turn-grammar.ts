import { EXECUTE_CLOSE } from "../text/markers.ts";
import { blockRule } from "./block-rule.ts";
import { literal } from "./gbnf/notation.ts";
import { Rules } from "./gbnf/rules.ts";
import { remembered } from "./remembered.ts";
import { replyRules, thoughtRules } from "./text/free-text.ts";
import type { TurnLanguage } from "./turn-language.ts";

/**
 * Writes the grammar of a whole answer in GBNF, the notation of llama.cpp: thoughts, text, and at the end a block of calls or
 * `<end>`, or neither. Every text of it reads without an error, and the arguments of its calls fit the schemas of the tools
 * as far as a grammar can say (docs/grammar.md). The same language gives the same text, which is kept for the array of tools.
 *
 * @throws RangeError for a schema that is nested too deeply
 */
export const turnGrammar: (language: TurnLanguage) => string = remembered((language) => {
  const rules = new Rules();
  const calls = blockRule(language, rules);
  const block = calls && `${calls} ${literal(EXECUTE_CLOSE)}`;
  replyRules(rules, "reply", { reply: "reply", think: "thought", block }, false);
  thoughtRules(rules, "thought", "reply");
  if (language.startIn === "think") return rules.toString("thought");
  replyRules(rules, "first", { reply: "reply", think: "thought", block }, true);
  return rules.toString("first");
});
