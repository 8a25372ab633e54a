import type { SchemaRules } from "@cogency/provider/http";

/**
 * Structured outputs of Anthropic: https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations.
 * The parameters of tools, which are not sent as strict, may have every keyword.
 */
export const schemaRules: SchemaRules = {
  takes(keyword, value, isStrict) {
    if (!isStrict) return true;
    if (keyword === "minItems") return value === 0 || value === 1;
    // Neither looking around or back nor the edges of words.
    if (keyword === "pattern") return typeof value === "string" && !/\(\?[=!<]|\\[1-9kbB]/.test(value);
    return keyword === "default" || (keyword === "format" && formats.has(value));
  },
  requiresAllKeys: false,
  takesMaps: false,
  takesTuples: false,
  recursion: "nowhere",
  limits: { optionalKeys: 24, unions: 16 },
};

const formats: ReadonlySet<unknown> = new Set([
  ...["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"],
]);
