import type { Json, JsonSchema } from "@cogency/protocol";
import { issuesText } from "../errors.ts";
import { hostileIssue } from "../schema/hostile-arguments.ts";
import type { ToolInput } from "../schema/infer-args.ts";
import { jsonSchemaValidator } from "../schema/json-schema-validator.ts";
import { withoutNulls } from "../schema/left-out.ts";
import { isStandardSchema, jsonSchemaOf, validateStandard } from "../schema/standard-schema.ts";
import type { Validation } from "../validation.ts";

/** What an answer must fit: that of a person to a question, or that of a model. */
export interface AnswerSchema {
  /** What whoever answers reads of it; undefined for a text. */
  readonly json: JsonSchema | undefined;
  /**
   * What the schema makes of this answer (`value`), with the answer as a store keeps it, or why it does not fit. Rejects only if the
   * schema's library throws.
   */
  read(content: unknown): Promise<{ content: Json; value: unknown } | { problem: string }>;
}

/**
 * Reads answers by a Standard Schema whose library makes JSON Schema, or by plain JSON Schema, of any root; without one, texts.
 *
 * @throws TypeError for a schema that gives no JSON Schema
 */
export function answerSchema(schema: ToolInput | undefined): AnswerSchema {
  const json = schema === undefined ? undefined : jsonSchemaFor(schema);
  const check = schema === undefined ? asText : checkOf(schema);
  return {
    json,
    async read(given) {
      const hostile = hostileIssue(given as Json);
      if (hostile) return { problem: issuesText([hostile]) };
      // As a store returns it: its proof must fit what is read after a restart.
      const kept: Json = JSON.parse(
        JSON.stringify(given, (_, value) => (typeof value === "string" ? value.toWellFormed() : value)),
      );
      const content = json ? withoutNulls(kept, json) : kept;
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
      "`schema` gives no JSON Schema, which whoever answers needs. Give plain JSON Schema, or a schema of a library that " +
        "makes it, such as zod 4.",
    );
  }
  const { $schema, "~standard": _, ...copy } = JSON.parse(JSON.stringify(json));
  return copy;
}
