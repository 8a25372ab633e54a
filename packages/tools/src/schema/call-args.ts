import type { Json, JsonObject } from "@cogency/protocol";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { InferJsonSchema } from "./infer-args.ts";

/**
 * The type of the arguments of a call that has passed its checks, as events, questions and the log have them: the input type
 * of the schema. What the schema makes of them, with defaults and transforms, only `execute` gets (`InferArgs`).
 *
 * A property of which the schema knows no type, such as that of `z.coerce.number()`, is `Json`.
 *
 * @example
 * const input = z.object({ size: z.string().transform(Number), unit: z.string().default("cm") });
 * InferArgs<typeof input> // { size: number; unit: string }
 * CallArgs<typeof input> // { size: string; unit?: string }
 */
export type CallArgs<Input> = (
  Input extends StandardSchemaV1
    ? InJson<StandardSchemaV1.InferInput<Input>>
    : InferJsonSchema<Input, "left out">
) extends infer Args extends JsonObject
  ? Args
  : JsonObject;

/** What remains of a type in JSON: no `undefined`, nothing that is readonly. */
type InJson<T> = unknown extends T
  ? Json
  : T extends Json
    ? T
    : T extends object
      ? { -readonly [Key in keyof T]: InJson<T[Key]> }
      : never;
