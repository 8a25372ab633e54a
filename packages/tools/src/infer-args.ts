import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import type { StandardSchemaV1 } from "@standard-schema/spec";

/** What `defineTool` takes as `input`: a schema of any library that speaks Standard Schema, or plain JSON Schema. */
export type ToolInput = StandardSchemaV1 | JsonSchema;

/**
 * The arguments `execute` receives: the schema's output type. Of plain JSON Schema written as a literal the obvious is
 * inferred (types, properties, required, items, enum, const); anything else is `Json`, at the root `JsonObject`.
 */
export type InferArgs<Input> = Input extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Input>
  : Input extends { properties: object }
    ? FromJsonSchema<Input>
    : JsonObject;

type FromJsonSchema<S> = S extends { const: infer Value }
  ? Value
  : S extends { enum: readonly (infer Value)[] }
    ? Value
    : S extends { type: "object"; properties: infer Properties }
      ? FromProperties<Properties, S extends { required: readonly (infer Key)[] } ? Key : never>
      : S extends { type: "array"; items: infer Item }
        ? FromJsonSchema<Item>[]
        : S extends { type: keyof Primitives }
          ? Primitives[S["type"]]
          : Json;

type FromProperties<Properties, Required> = Flat<
  {
    -readonly [Key in keyof Properties as Key extends Required ? Key : never]: FromJsonSchema<Properties[Key]>;
  } & {
    -readonly [Key in keyof Properties as Key extends Required ? never : Key]?: FromJsonSchema<Properties[Key]>;
  }
>;

type Flat<T> = { [Key in keyof T]: T[Key] };

interface Primitives {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
  object: JsonObject;
  array: Json[];
}
