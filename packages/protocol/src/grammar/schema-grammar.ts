import type { JsonSchema } from "../json.ts";
import { Rules } from "./gbnf/rules.ts";
import { thoughtRules } from "./text/free-text.ts";
import type { TurnLanguage } from "./turn-language.ts";
import { lettersOf } from "./values/letters.ts";
import { Values } from "./values/values.ts";

/**
 * Writes the grammar of an answer that is nothing but the JSON text of a value, in GBNF. The value fits the schema as far as a
 * grammar can say (docs/grammar.md). Undefined if no value fits.
 *
 * @param startIn `think` where the server's chat template has opened the think block: a thought and `</think>` come first
 * @throws RangeError for a schema that is nested too deeply
 */
export function schemaGrammar(schema: JsonSchema, startIn: TurnLanguage["startIn"] = "text"): string | undefined {
  const rules = new Rules();
  const value = new Values(rules, schema, lettersOf(rules)).of(schema);
  if (value === undefined) return undefined;
  if (startIn === "text") return rules.toString(value);
  thoughtRules(rules, "thought", rules.define("answer", `[ \\n]{0,2} ${value}`));
  return rules.toString("thought");
}
