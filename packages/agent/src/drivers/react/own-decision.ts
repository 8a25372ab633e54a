import type { JsonObject, JsonSchema } from "@cogency/protocol";
import type { InferArgs, ToolInput } from "@cogency/tools";
import { RunError } from "../../errors.ts";
import type { ReactDecision } from "./decision.ts";

/** Decisions of a shape of your own. */
export interface OwnDecision<Schema extends ToolInput = ToolInput> {
  /**
   * What the model reads, and what its output must fit: a Standard Schema whose library makes JSON Schema, or a JSON Schema. A
   * Standard Schema validates the output, a JSON Schema is only shown.
   */
  schema: Schema;
  /** Makes the decision of a value. What it throws the model reads, and it decides again. */
  read(value: InferArgs<Schema>): ReactDecision;
}

type Standard = Extract<ToolInput, { "~standard": unknown }>;

/** @throws TypeError if there is no JSON Schema for the model */
export function jsonSchemaFrom({ schema }: OwnDecision): JsonSchema {
  if (!isStandard(schema)) return schema;
  const { vendor, jsonSchema } = schema["~standard"] as Standard["~standard"] & JsonSchemaMaker;
  if (!jsonSchema) {
    throw new TypeError(
      `reactDriver: ${vendor} makes no JSON Schema of decision.schema. Give a JSON Schema there, and check the value in decision.read.`,
    );
  }
  const { $schema: _, ...made } = jsonSchema.input({ target: "draft-2020-12" });
  return made;
}

/** As the Standard JSON Schema specification has it. */
interface JsonSchemaMaker {
  jsonSchema?: { input(options: { target: "draft-2020-12" }): JsonSchema };
}

/**
 * Reads a value as a decision, which is not checked yet.
 *
 * @throws Error if it does not fit; the message is for the model. RunError `driver` if the schema cannot be checked at once
 */
export function readOwn({ schema, read }: OwnDecision, value: JsonObject): ReactDecision {
  if (!isStandard(schema)) return read(value);
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) {
    throw new RunError("driver", "reactDriver: decision.schema validates asynchronously, but a driver is synchronous.");
  }
  if (!result.issues) return read(result.value);
  const issues = result.issues.map(({ path = [], message }) => {
    const place = path.map((step) => (typeof step === "object" ? step.key : step)).map(String);
    return place.length > 0 ? `${place.join(".")}: ${message}` : message;
  });
  throw new Error(issues.join("; "));
}

function isStandard(schema: ToolInput): schema is Standard {
  return "~standard" in schema;
}
