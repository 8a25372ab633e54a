import { jsonText } from "../../text/json-text.ts";
import { literal } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import type { Keywords } from "./keywords.ts";
import type { Letters } from "./letters.ts";
import { objectOf, type Property } from "./object.ts";
import { textOf } from "./string.ts";

/** How values are written. Each member returns undefined for what cannot be written. */
export interface Style {
  /** The strings that the schema admits. */
  string(schema: Keywords): string | undefined;
  /** This value. */
  value(value: unknown): string | undefined;
  /** An object with these properties. */
  object(properties: readonly Property[]): string | undefined;
  /** The style of the value of a property of such an object. Those of other values are JSON. */
  within?(property: string): Style;
  /** Whether an object may have keys that its schema does not list. */
  readonly hasFreeKeys: boolean;
}

export function jsonStyle(rules: Rules, letters: Letters): Style {
  return {
    hasFreeKeys: true,
    string(schema) {
      const text = textOf(schema, rules, letters);
      return text && rules.share("string", `"\\"" ${text} "\\""`);
    },
    value(value) {
      const json = jsonText(value);
      return literal(letters.special.includes("<") ? json.replaceAll("<", "\\u003c") : json);
    },
    object: (properties) => objectOf(properties, rules),
  };
}
