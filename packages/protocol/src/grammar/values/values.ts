import { choice } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import { arrayOf } from "./array.ts";
import { anyJson, freeObject } from "./free-json.ts";
import { isKeywords, type Keywords, listOf } from "./keywords.ts";
import type { Letters } from "./letters.ts";
import { merged } from "./merge.ts";
import { integerOf, numberOf } from "./number.ts";
import { hasFreeKeys, propertiesOf } from "./object.ts";
import { resolved } from "./references.ts";
import { jsonStyle, type Style } from "./style.ts";

/** How many schemas may be joined within one another before a value is left to the check after. */
const mostJoined = 32;

/** Makes expressions for the JSON text of values, from the parts of one schema. */
export class Values {
  readonly #rules: Rules;
  readonly #root: unknown;
  readonly #letters: Letters;
  readonly #style: Style;
  /** The values within others, which are JSON. */
  readonly #inner: Values;
  /** The rules of the schemas that references lead to; undefined for one that no value fits. */
  readonly #targets = new Map<unknown, string | undefined>();
  #joined = 0;

  /**
   * @param root the schema in which references are looked up
   * @param style how values are written that stand in no other one. Defaults to JSON
   */
  constructor(rules: Rules, root: unknown, letters: Letters, style?: Style) {
    this.#rules = rules;
    this.#root = root;
    this.#letters = letters;
    this.#style = style ?? jsonStyle(rules, letters);
    this.#inner = style ? new Values(rules, root, letters) : this;
  }

  /** The values that the schema admits; undefined if there are none. */
  of(schema: unknown): string | undefined {
    if (schema === false) return undefined;
    if (!isKeywords(schema)) return this.#anything();
    if (this.#joined > mostJoined) return this.#anything();
    const { $ref, allOf, anyOf, oneOf, const: constant, enum: listed, ...rest } = schema;
    if (typeof $ref === "string") return this.#target($ref, without(schema, "$ref"));
    if (Array.isArray(allOf)) return this.#join(without(schema, "allOf"), allOf);
    const alternatives = Array.isArray(anyOf) ? "anyOf" : Array.isArray(oneOf) ? "oneOf" : undefined;
    if (alternatives) {
      const others = without(schema, alternatives);
      return this.#either(listOf(schema[alternatives]).map((branch) => this.#join(others, [branch])));
    }
    if ("const" in schema) return this.#literals([constant], rest);
    if (Array.isArray(listed)) return this.#literals(listed, rest);
    return this.#either(typesOf(schema).map((type) => this.#typed(type, schema)));
  }

  #typed(type: unknown, schema: Keywords): string | undefined {
    const value = (part: unknown) => this.#inner.of(part);
    switch (type) {
      case "object":
        return this.#object(schema);
      case "array":
        return arrayOf(schema, this.#rules, value);
      case "string":
        return this.#style.string(schema);
      case "integer":
        return integerOf(schema, this.#rules);
      case "number":
        return numberOf(schema, this.#rules);
      case "boolean":
        return '("true" | "false")';
      case "null":
        return '"null"';
      default:
        return this.#anything();
    }
  }

  #object(schema: Keywords): string | undefined {
    const style = this.#style;
    if (hasFreeKeys(schema) && style.hasFreeKeys) {
      const value = this.#inner.of(schema.additionalProperties ?? true);
      return value === undefined ? style.object([]) : freeObject(this.#rules, this.#letters, value);
    }
    const properties = propertiesOf(schema, (part, name) => {
      const within = style.within && new Values(this.#rules, this.#root, this.#letters, style.within(name));
      return (within ?? this.#inner).of(part);
    });
    return properties && style.object(properties);
  }

  #anything(): string {
    return anyJson(this.#rules, this.#letters);
  }

  /** The values of the list that the type of the schema admits. */
  #literals(values: readonly unknown[], rest: Keywords): string | undefined {
    const types = [rest.type ?? []].flat();
    const fitting = values.filter((value) => types.length === 0 || types.some((type) => isOfType(value, type)));
    return this.#either(fitting.map((value) => this.#style.value(value)));
  }

  #either(ways: readonly (string | undefined)[]): string | undefined {
    const possible = [...new Set(ways.filter((way) => way !== undefined))];
    return possible.length === 0 ? undefined : choice(possible);
  }

  #join(schema: Keywords, others: readonly unknown[]): string | undefined {
    this.#joined++;
    try {
      return this.of(others.reduce(merged, schema));
    } finally {
      this.#joined--;
    }
  }

  /** A rule for what a reference leads to, which may refer to itself. */
  #target(reference: string, siblings: Keywords): string | undefined {
    const target = resolved(reference, this.#root);
    if (Object.keys(siblings).some((keyword) => !annotations.has(keyword))) return this.#join(siblings, [target]);
    if (!isKeywords(target)) return this.of(target);
    if (this.#targets.has(target)) return this.#targets.get(target);
    const name = this.#rules.reserve("value");
    this.#targets.set(target, name);
    const body = this.of(target);
    // A reference that only leads to itself says nothing.
    this.#rules.define(name, body === undefined || body === name ? this.#anything() : body);
    return name;
  }
}

/** Keywords that say nothing about values. */
const annotations = new Set([
  "description",
  "title",
  "default",
  "examples",
  "deprecated",
  "$comment",
  "$defs",
  "definitions",
]);

function without(schema: Keywords, keyword: string): Keywords {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}

/** The types of the schema; where it names none, that of its keywords. */
function typesOf(schema: Keywords): readonly unknown[] {
  if (schema.type !== undefined) {
    const types = [schema.type].flat();
    return types.includes("number") ? types.filter((type) => type !== "integer") : types;
  }
  const [type] = Object.entries(keywordsOf).find(([, keywords]) => keywords.some((name) => name in schema)) ?? [];
  return [type];
}

const keywordsOf = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items", "prefixItems", "minItems", "maxItems"],
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "object") return isKeywords(value);
  return typeof value === type;
}
