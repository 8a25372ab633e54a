import type { JsonSchema } from "@cogency/protocol";
import { current, narrowingOf, say, sentences, typesOf } from "./keywords.ts";
import { merged } from "./merged.ts";
import { admitsNull, isSchema, listOf, resolve } from "./parts.ts";
import type { SchemaRules } from "./rules.ts";

/** Thrown where a strict schema would have another meaning. */
export class Unfit extends Error {}

/** What is lowered, and how. */
export interface Lowering {
  readonly root: JsonSchema;
  readonly rules: SchemaRules;
  /**
   * Objects are closed, and what the rules do not allow throws. Otherwise objects stay as open as they are, keys may be left
   * out, and a part that has no form becomes one that anything fits.
   */
  readonly isStrict: boolean;
}

/**
 * The schema by the rules, with all that it refers to in `$defs`. Choices are `anyOf`, also those of types and of null.
 *
 * @throws Unfit if it is strict, and a part of it has no form that the rules allow
 */
export function lower(lowering: Lowering): JsonSchema {
  const lowerer = new Lowerer(lowering);
  return lowerer.withDefinitions(lowerer.lower(lowering.root, []));
}

/** The schemas that a place is inside of, outermost first, and where a key may be left out. */
type Path = readonly (JsonSchema | "optional")[];

class Lowerer {
  readonly #root: JsonSchema;
  readonly #rules: SchemaRules;
  readonly #isStrict: boolean;
  readonly #names = new Map<JsonSchema, string>();
  readonly #definitions: Record<string, JsonSchema> = {};

  constructor({ root, rules, isStrict }: Lowering) {
    this.#root = root;
    this.#rules = rules;
    this.#isStrict = isStrict;
  }

  withDefinitions(schema: JsonSchema): JsonSchema {
    return this.#names.size === 0 ? schema : { ...schema, $defs: this.#definitions };
  }

  lower(schema: unknown, path: Path): JsonSchema {
    if (schema === undefined || schema === true) return this.#anything({});
    if (!isSchema(schema)) return this.#unfit("nothing fits the schema `false`", {});
    const { $ref, allOf, nullable } = schema;
    if (nullable === true && !admitsNull({ ...schema, nullable: false }, this.#root)) {
      return orNull(this.lower({ ...schema, nullable: false }, path));
    }
    if ($ref !== undefined) return this.#reference(schema, $ref, path);
    if (Array.isArray(allOf)) return this.#joined(schema, allOf, path);
    const choice = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(choice)) return this.#choice(schema, choice, path);
    const values = schema.const !== undefined ? [schema.const] : schema.enum;
    if (Array.isArray(values)) return this.#values(schema, values);
    const [type, ...others] = typesOf(schema);
    if (type === undefined) return this.#anything(schema);
    if (others.length === 0) return this.#typed(schema, type, path);
    const { title: _, description: __, default: ___, ...bare } = schema;
    const each = [type, ...others].map((one) => this.#typed({ ...bare, type: one }, one, path));
    return { ...this.#words(schema, ["default"]), anyOf: each };
  }

  #typed(schema: JsonSchema, type: string, path: Path): JsonSchema {
    switch (type) {
      case "object":
        return this.#object(schema, [...path, schema]);
      case "array":
        return this.#list(schema, [...path, schema]);
      case "string":
      case "number":
      case "integer":
      case "boolean":
      case "null":
        return { type, ...this.#narrowed(schema, type) };
      default:
        return this.#unfit(`there is no type \`${type}\``, schema);
    }
  }

  #object(schema: JsonSchema, path: Path): JsonSchema {
    const { properties, propertyNames, additionalProperties: others, patternProperties } = schema;
    const names = isSchema(propertyNames) && isSchema(others) ? listOf(propertyNames.enum) : [];
    // A map whose keys are all known is an object.
    const declared = {
      ...Object.fromEntries(names.map((key) => [String(key), others])),
      ...(isSchema(properties) ? properties : {}),
    };
    const isClosed = others === false || names.length > 0;
    const isOpen = !isClosed && (others !== undefined || patternProperties !== undefined || properties === undefined);
    if (isOpen && this.#isStrict && !this.#rules.takesMaps) this.#unfit("an object has keys that are not declared", {});
    const required = listOf(schema.required);
    const nullsOptional = this.#isStrict && this.#rules.requiresAllKeys;
    const lowered = Object.entries(declared)
      .filter(([, inner]) => inner !== false)
      .map(([key, inner]): [string, JsonSchema] => {
        if (required.includes(key)) return [key, this.lower(inner, path)];
        const optional = this.lower(inner, [...path, "optional"]);
        return [key, nullsOptional ? orNull(optional) : optional];
      });
    const keys = lowered.map(([key]) => key);
    const demanded = nullsOptional ? keys : keys.filter((key) => required.includes(key));
    const additional = isOpen && isSchema(others) ? this.lower(others, [...path, "optional"]) : {};
    // Without `properties` a server may take the object for an empty one (llama.cpp does).
    const saysOpen = isOpen && (others !== undefined || properties === undefined);
    return {
      type: "object",
      ...this.#narrowed(names.length > 0 ? { ...schema, propertyNames: undefined } : schema, "object"),
      properties: Object.fromEntries(lowered),
      ...(demanded.length > 0 || nullsOptional ? { required: demanded } : {}),
      ...(saysOpen ? { additionalProperties: Object.keys(additional).length === 0 || additional } : {}),
      ...(isClosed || (this.#isStrict && !isOpen) ? { additionalProperties: false } : {}),
    };
  }

  #list(schema: JsonSchema, path: Path): JsonSchema {
    const { items, prefixItems, additionalItems, maxItems } = schema;
    // In older drafts `items` has the places.
    const [places, rest] = Array.isArray(items) ? [items, additionalItems] : [listOf(prefixItems), items];
    if (places.length === 0 && rest !== false) {
      return { type: "array", ...this.#narrowed(schema, "array"), items: this.lower(rest, path) };
    }
    const each = places.map((place) => this.lower(place, path));
    // As objects, lists that do not say whether they are open are closed.
    const isFixed = rest === false || (rest === undefined && this.#isStrict) || maxItems === places.length;
    const others = isFixed ? [] : [this.lower(rest, path)];
    if (this.#isStrict && this.#rules.takesTuples) {
      return { type: "array", ...this.#narrowed(schema, "array"), prefixItems: each, items: others[0] ?? false };
    }
    const order =
      each.length > 1 ? `The items are, in this order: ${each.map((place) => JSON.stringify(place)).join(", ")}.` : "";
    const said = {
      ...schema,
      ...(isFixed && { maxItems: places.length }),
      description: sentences(schema.description, order),
    };
    return { type: "array", ...this.#narrowed(said, "array"), items: oneOf([...each, ...others]) };
  }

  #reference(schema: JsonSchema, reference: unknown, path: Path): JsonSchema {
    const { $ref: _, $defs: __, definitions: ___, ...beside } = schema;
    const target = resolve(reference, this.#root);
    if (!isSchema(target) || target === schema)
      return this.#unfit(`nothing is at ${JSON.stringify(reference)}`, beside);
    // A root that only refers is its target: servers want an object there.
    if (path.length === 0) return this.lower({ ...target, ...beside }, [target]);
    const begun = path.indexOf(target);
    if (begun !== -1 && this.#isStrict && this.#rules.recursion !== "everywhere") {
      const mayRecur = this.#rules.recursion === "optional" && path.slice(begun).includes("optional");
      if (!mayRecur) return this.#unfit("it refers to itself", beside);
    }
    const referring = { $ref: `#/$defs/${this.#define(target, reference, path)}` };
    // OpenAI: "$ref cannot have keywords {'description'}" (langchain-ai/langchainjs#11381).
    const words = this.#words(beside, narrowingOf());
    return Object.keys(words).length === 0 ? referring : { ...words, anyOf: [referring] };
  }

  #define(target: JsonSchema, reference: unknown, path: Path): string {
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    const last =
      String(reference)
        .split("/")
        .at(-1)
        ?.replace(/[^A-Za-z0-9_-]/g, "") || "root";
    let name = last;
    for (let count = 2; Object.hasOwn(this.#definitions, name); count++) name = `${last}_${count}`;
    this.#names.set(target, name);
    // Claims the name before the definition is made, which may refer to itself.
    this.#definitions[name] = {};
    this.#definitions[name] = this.lower(target, [...path, target]);
    return name;
  }

  /** One schema of all that `allOf` demands. */
  #joined({ allOf: _, ...schema }: JsonSchema, all: readonly unknown[], path: Path): JsonSchema {
    let joined: JsonSchema | undefined = schema;
    for (const part of all) {
      const target = isSchema(part) && part.$ref !== undefined ? resolve(part.$ref, this.#root) : part;
      joined = joined && isSchema(target) && !path.includes(target) ? merged(joined, target) : undefined;
    }
    if (joined) return this.lower(joined, path);
    return this.#unfit("`allOf` has no form as one schema", schema, say("allOf", all));
  }

  #choice(schema: JsonSchema, choice: readonly unknown[], path: Path): JsonSchema {
    const { anyOf: _, oneOf: __, ...own } = schema;
    // Demands more of an object that is whole without it, such as one of several keys.
    if (isSchema(own.properties)) {
      return this.lower({ ...own, description: sentences(own.description, say("anyOf", choice)) }, path);
    }
    if (choice.length === 0) return this.#unfit("a choice has no alternatives", own);
    const type = own.type === undefined ? {} : { type: own.type };
    const inner = choice.map((one) => this.lower(isSchema(one) ? { ...type, ...one } : one, path));
    return { ...oneOf(inner), ...this.#words(own, narrowingOf()) };
  }

  /** `enum` and `const`, whose values may have several types. */
  #values(schema: JsonSchema, values: readonly unknown[]): JsonSchema {
    const groups = Map.groupBy(values, (value) => (value === null ? "null" : typeof value));
    if (groups.has("object"))
      return this.#unfit("a value of `enum` is an object or a list", schema, say("enum", values));
    const isInteger = typesOf(schema).includes("integer");
    const each = [...groups].map(([kind, group]): JsonSchema => {
      if (kind === "null") return { type: kind };
      const type = kind === "number" && isInteger ? "integer" : kind;
      return { type, ...(schema.const === undefined ? { enum: group } : { const: group[0] }) };
    });
    if (each.length === 0) return this.#unfit("an `enum` has no values", schema);
    return { ...oneOf(each), ...this.#words(schema, ["default"]) };
  }

  #anything(schema: JsonSchema): JsonSchema {
    if (this.#isStrict) throw new Unfit("a value may be anything");
    const words = this.#words(schema, narrowingOf());
    // llama.cpp takes no schema with a description alone: "Unrecognized schema" (browseros-ai/BrowserOS#255).
    return Object.keys(words).length === 0 ? {} : { ...words, anyOf: anyType };
  }

  #unfit(reason: string, schema: JsonSchema, said = ""): JsonSchema {
    if (this.#isStrict) throw new Unfit(reason);
    return this.#anything({ description: sentences(schema.description, said) });
  }

  /** Title and description, and the keywords that the server takes. What it does not take is said in the description. */
  #narrowed(schema: JsonSchema, type: string): JsonSchema {
    const given = current(schema);
    const keywords = narrowingOf(type).filter((keyword) => given[keyword] !== undefined && !isNoise(keyword, given));
    const isTaken = (keyword: string) =>
      (keyword === "default" || isScalar(given[keyword])) && this.#rules.takes(keyword, given[keyword], this.#isStrict);
    const taken = keywords.filter(isTaken);
    const said = keywords.filter((keyword) => !taken.includes(keyword));
    return { ...this.#words(given, said), ...Object.fromEntries(taken.map((keyword) => [keyword, given[keyword]])) };
  }

  /** Title and description, which says these keywords too. */
  #words(schema: JsonSchema, said: readonly string[]): JsonSchema {
    const { title, description } = schema;
    const words = said
      .filter((keyword) => schema[keyword] !== undefined)
      .map((keyword) => say(keyword, schema[keyword]));
    const whole = sentences(description, ...words);
    return { ...(typeof title === "string" ? { title } : {}), ...(whole === undefined ? {} : { description: whole }) };
  }
}

const anyType: readonly JsonSchema[] = [
  ...["string", "number", "boolean", "null"].map((type) => ({ type })),
  { type: "array", items: {} },
  { type: "object", properties: {}, additionalProperties: true },
];

function orNull(schema: JsonSchema): JsonSchema {
  return admitsNull(schema, {}) ? schema : oneOf([schema, { type: "null" }]);
}

/** One of these schemas. Choices without words of their own are taken apart. */
function oneOf(schemas: readonly JsonSchema[]): JsonSchema {
  const flat = schemas.flatMap((schema) => (Object.keys(schema).join() === "anyOf" ? listOf(schema.anyOf) : [schema]));
  const distinct = new Map(flat.map((schema) => [JSON.stringify(schema), schema]));
  const [only = {}] = distinct.values();
  return distinct.size <= 1 && isSchema(only) ? only : { anyOf: [...distinct.values()] };
}

/** Whether a keyword says nothing: that keys are texts, or the pattern that a library writes for a format. */
function isNoise(keyword: string, { format, propertyNames }: JsonSchema): boolean {
  if (keyword === "pattern") return format !== undefined;
  return keyword === "propertyNames" && isSchema(propertyNames) && Object.keys(propertyNames).join() === "type";
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
