import type { ToolSpec } from "../tool.ts";
import { choice, literal } from "./gbnf/notation.ts";
import type { Rules } from "./gbnf/rules.ts";
import type { TurnLanguage } from "./turn-language.ts";
import { layout } from "./values/layout.ts";
import { type Letters, lettersOf } from "./values/letters.ts";
import type { Property } from "./values/object.ts";
import type { Style } from "./values/style.ts";
import { Values } from "./values/values.ts";
import { argumentStyle } from "./values/xml-argument.ts";

/**
 * A block of the XML dialect, between its markers; undefined if no tool can be called. A call of a tool that
 * is not listed is not of the language: the names of its two tags would have to agree.
 */
export function xmlBlock({ tools }: TurnLanguage, rules: Rules): string | undefined {
  // In JSON within an argument, no tag can be written.
  const letters = lettersOf(rules, "<");
  const ws = layout(rules);
  const calls = tools.map((tool) => element(tool, rules, letters)).filter((call) => call !== undefined);
  if (calls.length === 0) return undefined;
  const call = rules.share("call", choice(calls));
  return rules.share("block", `${ws} ${call} (${ws} ${call})* ${ws}`);
}

/** A call of the tool; undefined if its name, or that of an argument that it requires, cannot be a tag. */
function element({ name, parameters }: ToolSpec, rules: Rules, letters: Letters): string | undefined {
  if (!isTag(name)) return undefined;
  const ws = layout(rules);
  const style: Style = {
    hasFreeKeys: false,
    string: () => undefined,
    value: () => undefined,
    within: (argument) => argumentStyle(argument, name, rules, letters),
    object(properties) {
      if (properties.some((property) => property.isRequired && !isTag(property.name))) return undefined;
      const args = properties.filter((property) => isTag(property.name)).map((property) => argument(property, rules));
      return rules.share("element", [literal(`<${name}>`), ws, ...args, literal(`</${name}>`)].join(" "));
    },
  };
  return new Values(rules, parameters, letters, style).of({ ...parameters, type: "object" });
}

function argument({ name, value, isRequired }: Property, rules: Rules): string {
  const tags = [`<${name}>`, `</${name}>`].map(literal);
  const written = rules.share("argument", `${tags[0]} ${value} ${tags[1]} ${layout(rules)}`);
  return isRequired ? written : `${written}?`;
}

function isTag(name: string): boolean {
  return /^[\w.-]+$/.test(name);
}
