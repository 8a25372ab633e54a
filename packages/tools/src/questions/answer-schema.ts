import type { Json, JsonSchema } from "@cogency/protocol";
import { issuesText } from "../errors.ts";
import { hostileIssue } from "../schema/hostile-arguments.ts";
import type { ToolInput } from "../schema/infer-args.ts";
import { jsonSchemaValidator } from "../schema/json-schema-validator.ts";
import { isStandardSchema, jsonSchemaOf, validateStandard } from "../schema/standard-schema.ts";
import type { Validation } from "../validation.ts";

/** What the answer to a question must fit. */
export interface AnswerSchema {
  /** What a person who answers reads of it; undefined for a text. */
  readonly json: JsonSchema | undefined;
  /** What the body gets for this answer, or why it does not fit. Rejects only if the schema's library throws. */
  read(content: unknown): Promise<Reading>;
}

type Reading = { content: Json; value: unknown } | { problem: string };

/** @throws TypeError for a schema that no person could be shown */
export function answerSchema(schema: ToolInput | undefined): AnswerSchema {
  const json = schema === undefined ? undefined : jsonSchemaFor(schema);
  const check = schema === undefined ? asText : checkOf(schema);
  return {
    json,
    async read(given) {
      const hostile = hostileIssue(given as Json);
      if (hostile) return { problem: issuesText([hostile]) };
      // As a store returns it: its proof must fit what is read after a restart.
      const content: Json = JSON.parse(
        JSON.stringify(given, (_, value) => (typeof value === "string" ? value.toWellFormed() : value)),
      );
      const validation = await check(content);
      return validation.ok ? { content, value: validation.args } : { problem: issuesText(validation.issues) };
    },
  };
}

function asText(content: Json): Validation {
  if (typeof content === "string") return { ok: true, args: content };
  return { ok: false, issues: [{ path: "", message: "expected a text" }] };
}

function checkOf(schema: ToolInput): (content: Json) => Validation | Promise<Validation> {
  return isStandardSchema(schema) ? (content) => validateStandard(schema, content) : jsonSchemaValidator(schema);
}

function jsonSchemaFor(schema: ToolInput): JsonSchema {
  const json: unknown = isStandardSchema(schema) ? jsonSchemaOf(schema) : schema;
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new TypeError(
      "ask: `schema` gives no JSON Schema, which the person who answers needs. Give plain JSON Schema, or a schema of a " +
        "library that makes it, such as zod 4.",
    );
  }
  const { $schema, "~standard": _, ...copy } = JSON.parse(JSON.stringify(json));
  return copy;
}
