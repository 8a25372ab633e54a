import { callKeys } from "../parse/call-shape.ts";
import { jsonText } from "../text/json-text.ts";
import { choice, literal } from "./gbnf/notation.ts";
import type { Rules } from "./gbnf/rules.ts";
import type { TurnLanguage } from "./turn-language.ts";
import { anyJson, freeObject, unlike } from "./values/free-json.ts";
import { layout } from "./values/layout.ts";
import { lettersOf } from "./values/letters.ts";
import { Values } from "./values/values.ts";

/** A block of the JSON dialect, between its markers; undefined if no tool can be called. */
export function jsonBlock({ tools, hasOthers }: TurnLanguage, rules: Rules): string | undefined {
  const letters = lettersOf(rules);
  const ws = layout(rules);
  const [name, args] = callKeys.map((key) => `${literal(JSON.stringify(key))} ":" ${ws}`);
  const calls: string[] = [];
  for (const tool of tools) {
    const value = new Values(rules, tool.parameters, letters).of({ ...tool.parameters, type: "object" });
    if (value !== undefined) calls.push(`${literal(jsonText(tool.name))} "," ${ws} ${args} ${value}`);
  }
  if (hasOthers) {
    const others = unlike(
      tools.map((tool) => tool.name),
      rules,
      letters,
    );
    calls.push(`${others} "," ${ws} ${args} ${freeObject(rules, letters, anyJson(rules, letters))}`);
  }
  if (calls.length === 0) return undefined;
  const call = rules.share("call", `"{" ${ws} ${name} ${choice(calls)} ${ws} "}"`);
  return rules.share("block", `${ws} "[" ${ws} ${call} ("," ${ws} ${call})* ${ws} "]" ${ws}`);
}
