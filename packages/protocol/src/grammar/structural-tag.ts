import type { JsonObject } from "../json.ts";
import { EXECUTE, EXECUTE_CLOSE } from "../text/markers.ts";
import { blockRule } from "./block-rule.ts";
import { Rules } from "./gbnf/rules.ts";
import { remembered } from "./remembered.ts";
import type { TurnLanguage } from "./turn-language.ts";

/**
 * The structural tag of xgrammar for an answer: its text is free until `<execute>`, what follows is bound to a block of calls, and
 * the answer ends behind it. SGLang takes it as `response_format`, and vLLM its JSON text as
 * `structured_outputs.structural_tag`. Also `<execute>` in code opens a block here. Undefined if no tool can be called.
 * Treat it as read-only: it is kept for the array of tools.
 */
export const structuralTag: (language: TurnLanguage) => JsonObject | undefined = remembered((language) => {
  // Versions up to 0.1.27 read a class with a character beyond ASCII as one of bytes (mlc-ai/xgrammar#138).
  const rules = new Rules({ isWide: true });
  const block = blockRule(language, rules);
  if (block === undefined) return undefined;
  // The grammar instead of a schema: what xgrammar takes of JSON Schema depends on its version.
  const content = { type: "grammar", grammar: rules.toString(block) };
  return {
    type: "structural_tag",
    format: {
      type: "triggered_tags",
      triggers: [EXECUTE],
      tags: [{ type: "tag", begin: EXECUTE, content, end: EXECUTE_CLOSE }],
      at_least_one: false,
      stop_after_first: true,
    },
  };
});
