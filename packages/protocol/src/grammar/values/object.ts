import { jsonText } from "../../text/json-text.ts";
import { choice, literal } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import { isKeywords, type Keywords, listOf, schemasByName } from "./keywords.ts";
import { layout } from "./layout.ts";

/** A property that an object may have, and the expression of its value. */
export interface Property {
  readonly name: string;
  readonly value: string;
  readonly isRequired: boolean;
}

/**
 * The properties of an object, in the order of the schema; undefined if one that is required can have no value. The list
 * is empty for an object that has none.
 */
export function propertiesOf(
  schema: Keywords,
  value: (schema: unknown, name: string) => string | undefined,
): Property[] | undefined {
  const required = new Set(listOf(schema.required));
  const listed = new Map(schemasByName(schema.properties));
  const others = schema.additionalProperties ?? true;
  for (const name of required) if (typeof name === "string" && !listed.has(name)) listed.set(name, others);
  const properties: Property[] = [];
  for (const [name, property] of listed) {
    const isRequired = required.has(name);
    // The parser refuses this key.
    const expression = name === "__proto__" ? undefined : value(property, name);
    if (expression !== undefined) properties.push({ name, value: expression, isRequired });
    else if (isRequired) return undefined;
  }
  return properties;
}

/** Whether an object of this schema may have keys that it does not list. If it lists some, no others are written. */
export function hasFreeKeys({ properties, required, additionalProperties }: Keywords): boolean {
  return additionalProperties !== false && !isKeywords(properties) && listOf(required).length === 0;
}

/** An object with these properties, in this order. */
export function objectOf(properties: readonly Property[], rules: Rules): string {
  const ws = layout(rules);
  const members = properties.map(({ name, value, isRequired }) => {
    const member = rules.share("member", `${literal(jsonText(name))} ":" ${ws} ${value}`);
    return { member, isRequired };
  });
  if (members.length === 0) return rules.share("object", `"{" ${ws} "}"`);
  const separator = `"," ${ws}`;
  const anchor = members.findIndex(({ isRequired }) => isRequired);
  const after = (from: number) =>
    members.slice(from).map(({ member, isRequired }) => {
      return isRequired ? `${separator} ${member}` : `(${separator} ${member})?`;
    });
  if (anchor >= 0) {
    const before = members.slice(0, anchor).map(({ member }) => `(${member} ${separator})?`);
    const body = [...before, members[anchor]?.member, ...after(anchor + 1), ws];
    return rules.share("object", `"{" ${ws} ${body.join(" ")} "}"`);
  }
  // Whichever comes first has no comma before it.
  let rest = "";
  const ways: string[] = [];
  for (const { member } of members.toReversed()) {
    ways.unshift([member, rest].filter(Boolean).join(" "));
    rest = rules.share("optional", [`(${separator} ${member})?`, rest].filter(Boolean).join(" "));
  }
  return rules.share("object", `"{" ${ws} (${choice(ways)} ${ws})? "}"`);
}
