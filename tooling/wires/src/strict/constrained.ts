import { at, isObject, type Schema } from "./json-schema.ts";

/**
 * What a model says that wants to say `value` and can only say what the schema admits: null for a key that must be there and has
 * no value, and the value inside an object with one key where the schema demands that.
 *
 * @throws Error if the schema does not admit it
 */
export function constrained(value: unknown, schema: Schema): unknown {
  const direct = held(value, schema, schema);
  if (direct !== none) return direct;
  const keys = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const [[key, inner] = []] = keys;
  const wrapped = keys.length === 1 && isObject(inner) ? held(value, inner, schema) : none;
  if (key !== undefined && wrapped !== none) return { [key]: wrapped };
  throw new Error(`The schema does not let the model say ${JSON.stringify(value)}: ${JSON.stringify(schema)}`);
}

const none = Symbol("does not fit");

function held(value: unknown, schema: unknown, root: Schema): unknown {
  if (!isObject(schema)) return schema === false ? none : value;
  if (schema.$ref !== undefined) return held(value, at(schema.$ref, root), root);
  const choice = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choice)) {
    const all = choice.map((one) => held(value, one, root)).filter((said) => said !== none);
    return all.length > 0 ? all[0] : none;
  }
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return none;
  if (schema.const !== undefined && schema.const !== value) return none;
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOfType(value, String(type)))) return none;
  if (typeof value === "string") return fitsText(value, schema) ? value : none;
  if (typeof value === "number") return fitsNumber(value, schema) ? value : none;
  if (Array.isArray(value)) return heldList(value, schema, root);
  return isObject(value) ? heldObject(value, schema, root) : value;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function fitsText(
  value: string,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern = "" }: Schema,
): boolean {
  return (
    value.length >= Number(minLength) && value.length <= Number(maxLength) && new RegExp(String(pattern)).test(value)
  );
}

function fitsNumber(value: number, { minimum = value, maximum = value }: Schema): boolean {
  return value >= Number(minimum) && value <= Number(maximum);
}

function heldList(value: readonly unknown[], schema: Schema, root: Schema): unknown {
  const { prefixItems, items = {}, minItems = 0, maxItems = value.length } = schema;
  if (value.length < Number(minItems) || value.length > Number(maxItems)) return none;
  const places: unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  const said = value.map((item, index) => held(item, index < places.length ? places[index] : items, root));
  return said.includes(none) ? none : said;
}

function heldObject(value: Schema, schema: Schema, root: Schema): unknown {
  const { properties: declared, required, additionalProperties: others = {} } = schema;
  const properties = isObject(declared) ? declared : {};
  const demanded: unknown[] = Array.isArray(required) ? required : [];
  const keys = [...new Set([...Object.keys(properties), ...Object.keys(value)])].filter(
    (key) => demanded.includes(key) || Object.hasOwn(value, key),
  );
  const said = keys.map((key): [string, unknown] => [
    key,
    held(
      Object.hasOwn(value, key) ? value[key] : null,
      Object.hasOwn(properties, key) ? properties[key] : others,
      root,
    ),
  ]);
  return said.some(([, part]) => part === none) ? none : Object.fromEntries(said);
}
