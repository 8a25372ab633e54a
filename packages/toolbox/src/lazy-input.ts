import type { JsonSchema } from "@cogency/protocol";
import type * as z from "zod";

/**
 * What `defineTool` takes as `input`, of a schema that is made when the first call is checked. The model reads the JSON Schema,
 * which is made ahead, so that a program which makes all tools at its start does not wait for schemas of calls to come.
 */
export interface LazyInput<Schema extends z.ZodType> {
  readonly "~standard": Schema["~standard"];
  schema(): Schema;
}

/** The arguments that a body gets. */
export type ArgumentsOf<Input> = Input extends LazyInput<infer Schema> ? z.output<Schema> : never;

/** @param parameters the JSON Schema that zod makes of the schema; `parameters.json` has those of the tools, and a test compares them */
export function lazyInput<Schema extends z.ZodType>(parameters: JsonSchema, make: () => Schema): LazyInput<Schema> {
  let made: Schema | undefined;
  const schema = () => {
    made ??= make();
    return made;
  };
  return {
    schema,
    "~standard": {
      version: 1,
      vendor: "zod",
      validate: (value, options) => schema()["~standard"].validate(value, options),
      jsonSchema: { input: () => parameters, output: (options) => schema()["~standard"].jsonSchema.output(options) },
    },
  };
}
