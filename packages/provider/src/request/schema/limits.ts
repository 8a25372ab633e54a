import type { JsonSchema } from "@cogency/protocol";
import { isSchema, listOf } from "./parts.ts";
import type { SchemaLimits } from "./rules.ts";

/** Whether a schema that `lower` has made is within the limits of a server. */
export function isWithin(schema: JsonSchema, limits: SchemaLimits): boolean {
  const sizes = { keys: 0, depth: 0, enumValues: 0, enumText: 0, text: 0, optionalKeys: 0, unions: 0 };
  const definitions = isSchema(schema.$defs) ? schema.$defs : {};
  const depths = new Map<unknown, number>();
  measure(schema);
  for (const [name, definition] of Object.entries(definitions)) {
    sizes.text += name.length;
    measure(definition);
  }
  sizes.depth = depthOf(schema);
  return Object.entries(limits).every(([name, most]) => sizes[name as keyof SchemaLimits] <= most);

  function measure(part: unknown): void {
    if (!isSchema(part)) return;
    measureValues(part);
    for (const [key, value] of propertiesOf(part)) {
      sizes.keys++;
      sizes.text += key.length;
      if (!listOf(part.required).includes(key)) sizes.optionalKeys++;
      if (isSchema(value) && Array.isArray(value.anyOf)) sizes.unions++;
    }
    for (const inner of innerOf(part)) measure(inner);
  }

  function measureValues({ enum: values, const: value }: JsonSchema): void {
    const texts = listOf(values).map(String);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    sizes.enumValues += texts.length;
    sizes.text += length + (typeof value === "string" ? value.length : 0);
    if (texts.length > 250) sizes.enumText = Math.max(sizes.enumText, length);
  }

  /** A definition that refers to itself counts once. */
  function depthOf(part: unknown): number {
    if (!isSchema(part)) return 0;
    const known = depths.get(part);
    if (known !== undefined) return known;
    depths.set(part, 0);
    const name = typeof part.$ref === "string" ? part.$ref.slice("#/$defs/".length) : undefined;
    const inner = name === undefined ? innerOf(part) : [definitions[name]];
    const own = part.type === "object" || part.type === "array" ? 1 : 0;
    const depth = own + inner.map(depthOf).reduce((most, one) => Math.max(most, one), 0);
    depths.set(part, depth);
    return depth;
  }
}

function propertiesOf({ properties }: JsonSchema): [string, unknown][] {
  return isSchema(properties) ? Object.entries(properties) : [];
}

function innerOf(part: JsonSchema): unknown[] {
  const { items, prefixItems, anyOf, additionalProperties } = part;
  const values = propertiesOf(part).map(([, value]) => value);
  return [...values, items, additionalProperties, ...listOf(prefixItems), ...listOf(anyOf)];
}
