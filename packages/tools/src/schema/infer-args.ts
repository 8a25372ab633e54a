import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import type { StandardSchemaV1 } from "@standard-schema/spec";

/** What `defineTool` takes as `input`: a schema of any library that speaks Standard Schema, or plain JSON Schema. */
export type ToolInput = StandardSchemaV1 | JsonSchema;

/**
 * The arguments `execute` receives: the schema's output type. Of plain JSON Schema written as a literal the obvious is
 * inferred (types and lists of them, properties, required, default, items, additionalProperties, enum, const, anyOf, oneOf);
 * anything else is `Json`, at the root `JsonObject`.
 */
export type InferArgs<Input> = Input extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Input>
  : Input extends { properties: object }
    ? FromJsonSchema<Input>
    : JsonObject;

type FromJsonSchema<S> = S extends { const: infer Value }
  ? Mutable<Value>
  : S extends { enum: readonly (infer Value)[] }
    ? Mutable<Value>
    : S extends { type: infer Type }
      ? FromType<S, Type extends readonly (infer Each)[] ? Each : Type>
      : S extends { anyOf: readonly (infer Choice)[] } | { oneOf: readonly (infer Choice)[] }
        ? FromJsonSchema<Choice>
        : Json;

/** One after another, where the schema gives a list of types. */
type FromType<S, Type> = Type extends "object"
  ? FromObject<S>
  : Type extends "array"
    ? S extends { items: infer Item extends object }
      ? FromJsonSchema<Item>[]
      : Json[]
    : Type extends keyof Primitives
      ? Primitives[Type]
      : Json;

type FromObject<S> = S extends { properties: infer Properties }
  ? FromProperties<Properties, S extends { required: readonly (infer Key)[] } ? Key : never>
  : S extends { additionalProperties: infer Value extends object }
    ? { [key: string]: FromJsonSchema<Value> }
    : JsonObject;

type FromProperties<Properties, Required> = Flat<
  {
    -readonly [Key in keyof Properties as Given<Properties, Key, Required, Key, never>]: FromJsonSchema<
      Properties[Key]
    >;
  } & {
    -readonly [Key in keyof Properties as Given<Properties, Key, Required, never, Key>]?: FromJsonSchema<
      Properties[Key]
    >;
  }
>;

/** Whether a property is always there: it is required, or has a default. */
type Given<Properties, Key extends keyof Properties, Required, Then, Else> = Key extends Required
  ? Then
  : Properties[Key] extends { default: unknown }
    ? Then
    : Else;

type Flat<T> = { [Key in keyof T]: T[Key] };

/** Schemas written as literals are read as constants; values are the tool's own. */
type Mutable<T> = T extends object ? { -readonly [Key in keyof T]: Mutable<T[Key]> } : T;

interface Primitives {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}
