import type { SchemaRules } from "@cogency/provider/http";

/**
 * Structured output of Gemini: https://ai.google.dev/gemini-api/docs/structured-output#json_schema_support, and the field
 * `responseJsonSchema` of https://ai.google.dev/api/generate-content#GenerationConfig, which lists the keywords and says of
 * circles: "cyclic references are unrolled to a limited degree and, as such, may only be used within non-required properties".
 */
export const schemaRules: SchemaRules = {
  takes: (keyword, value) => (keyword === "format" ? formats.has(value) : ranges.has(keyword)),
  requiresAllKeys: false,
  takesMaps: true,
  takesTuples: true,
  recursion: "optional",
  limits: {},
};

const formats: ReadonlySet<unknown> = new Set(["date-time", "date", "time"]);
const ranges: ReadonlySet<string> = new Set(["minimum", "maximum", "minItems", "maxItems"]);
