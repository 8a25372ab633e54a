import type { Rules } from "./gbnf/rules.ts";
import { jsonBlock } from "./json-block.ts";
import type { TurnLanguage } from "./turn-language.ts";
import { xmlBlock } from "./xml-block.ts";

/** What stands between the markers of a block; undefined if no tool can be called. */
export function blockRule(language: TurnLanguage, rules: Rules): string | undefined {
  return language.dialect === "xml" ? xmlBlock(language, rules) : jsonBlock(language, rules);
}
