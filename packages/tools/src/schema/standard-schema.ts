import type { JsonSchema } from "@cogency/protocol";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { Validation } from "../validation.ts";
import { issuePath } from "./issue-path.ts";

export function isStandardSchema(input: unknown): input is StandardSchemaV1 {
  const isHolder = typeof input === "function" || (typeof input === "object" && input !== null);
  return isHolder && "~standard" in input;
}

/**
 * The JSON Schema of the values that the schema accepts; undefined if its library makes none.
 *
 * @throws the error of the library if it cannot express this schema
 */
export function jsonSchemaOf(schema: StandardSchemaV1): JsonSchema | undefined {
  const standard: Partial<StandardJSONSchemaV1.Props> = schema["~standard"];
  return standard.jsonSchema?.input({ target: "draft-2020-12" });
}

/** Advice if `jsonSchemaOf` returns none. */
export function jsonSchemaAdvice(schema: StandardSchemaV1): string {
  const { vendor } = schema["~standard"];
  if (vendor === "zod" && !("_zod" in schema)) {
    return "zod 3 needs the model's view of it as JSON Schema in `parameters`, which the package zod-to-json-schema makes; zod 4 gives it by itself.";
  }
  if (vendor === "zod") {
    return 'give the model\'s view of it in `parameters`, such as z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }).';
  }
  const converter = vendor === "valibot" ? ", such as toJsonSchema(schema) of @valibot/to-json-schema" : "";
  return `give the model's view of it as JSON Schema in \`parameters\`${converter}.`;
}

/** Checks a value with the schema's own library. Throws, or rejects, only if the library does. */
export function validateStandard(schema: StandardSchemaV1, value: unknown): Validation | Promise<Validation> {
  const result = schema["~standard"].validate(value);
  return "then" in result ? Promise.resolve(result).then(toValidation) : toValidation(result);
}

function toValidation(result: StandardSchemaV1.Result<unknown>): Validation {
  if (!result.issues) return { ok: true, args: result.value };
  return {
    ok: false,
    issues: result.issues.map(({ path = [], message }) => ({
      path: issuePath(path.map((step) => (typeof step === "object" ? step.key : step))),
      message,
    })),
  };
}
