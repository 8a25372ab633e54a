import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import type { StandardSchemaV1 } from "@standard-schema/spec";

/** The `input` of `defineTool`: a schema of any library with Standard Schema, or plain JSON Schema. */
export type ToolInput = StandardSchemaV1 | JsonSchema;

/**
 * Refuses an object of schemas, such as `{ order: z.string() }`, which would otherwise count as JSON Schema. It is `unknown`
 * for every other `input`. What it wants instead includes any Standard Schema: a schema that is only known as a type
 * parameter is assignable to that, and so it is accepted. (For JSON Schema as a type parameter, take
 * `ToolDefinition<S>["input"]` and call `defineTool<S>`.)
 */
export type NoRawShape<Input> = [Input] extends [StandardSchemaV1]
  ? unknown
  : [SchemaKeys<Input>] extends [never]
    ? unknown
    : StandardSchemaV1 | "an object of schemas must be wrapped: z.object(…), or what your library has for objects";

/** The keys under which schemas stand. A value of type `any` is not counted. */
type SchemaKeys<Input> = {
  [Key in keyof Input]-?: 0 extends 1 & Input[Key] ? never : Input[Key] extends StandardSchemaV1 ? Key : never;
}[keyof Input];

/**
 * The type of the arguments that `execute` gets: the output type of a Standard Schema. For plain JSON Schema written as a
 * literal it is inferred from `type` (also a list), `properties`, `required`, `default`, `items`, `additionalProperties`,
 * `enum`, `const`, `anyOf` and `oneOf`; other parts are `Json`, other roots `JsonObject`.
 *
 * @example
 * InferArgs<{ type: "object"; properties: { n: { type: "integer" } }; required: ["n"] }> // { n: number }
 */
export type InferArgs<Input> = Input extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Input>
  : InferJsonSchema<Input, "filled in">;

/** The type of the arguments that fit a plain JSON Schema. */
export type InferJsonSchema<Input, D extends Defaults> = Input extends { properties: object }
  ? FromJsonSchema<Input, D>
  : JsonObject;

/** The type of the answer that fits a schema of any root; inferred as {@link InferArgs} is. */
export type InferAnswer<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : FromJsonSchema<Schema, "filled in">;

/** Whether defaults are filled in: not below alternatives (`fillDefaults`). */
type Defaults = "filled in" | "left out";

type FromJsonSchema<S, D extends Defaults> = S extends { const: infer Value }
  ? Mutable<Value>
  : S extends { enum: readonly (infer Value)[] }
    ? Mutable<Value>
    : S extends { type: infer Type }
      ? FromType<S, Type extends readonly (infer Each)[] ? Each : Type, D>
      : S extends { anyOf: readonly (infer Choice)[] } | { oneOf: readonly (infer Choice)[] }
        ? FromJsonSchema<Choice, "left out">
        : Json;

/** Distributes over a list of types. */
type FromType<S, Type, D extends Defaults> = Type extends "object"
  ? FromObject<S, D>
  : Type extends "array"
    ? S extends { items: infer Item extends object }
      ? FromJsonSchema<Item, D>[]
      : Json[]
    : Type extends keyof Primitives
      ? Primitives[Type]
      : Json;

type FromObject<S, D extends Defaults> = S extends { properties: infer Properties }
  ? FromProperties<Properties, S extends { required: readonly (infer Key)[] } ? Key : never, D>
  : S extends { additionalProperties: infer Value extends object }
    ? { [key: string]: FromJsonSchema<Value, D> }
    : JsonObject;

type FromProperties<Properties, Required, D extends Defaults> = Flat<
  {
    -readonly [Key in keyof Properties as Given<Properties, Key, Required, D, Key, never>]: FromJsonSchema<
      Properties[Key],
      D
    >;
  } & {
    -readonly [Key in keyof Properties as Given<Properties, Key, Required, D, never, Key>]?: FromJsonSchema<
      Properties[Key],
      D
    >;
  }
>;

/** Whether a property is always present: it is required, or has a default that is filled in. */
type Given<Properties, Key extends keyof Properties, Required, D extends Defaults, Then, Else> = Key extends Required
  ? Then
  : [D, Properties[Key]] extends ["filled in", { default: unknown }]
    ? Then
    : Else;

type Flat<T> = { [Key in keyof T]: T[Key] };

/** The literal types of a schema are readonly; the arguments are not. */
type Mutable<T> = T extends object ? { -readonly [Key in keyof T]: Mutable<T[Key]> } : T;

interface Primitives {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}
