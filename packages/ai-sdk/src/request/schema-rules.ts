import type { SchemaRules } from "@cogency/provider/http";

/**
 * What the servers behind the models of the AI SDK have in common, of which a provider knows nothing: OpenAI holds models to closed objects
 * whose keys are all required, Anthropic takes no schema that refers to itself and at most 16 choices, and the grammars of local servers
 * know no patterns.
 */
export const commonRules: SchemaRules = {
  takes(keyword, value, isStrict) {
    if (refused.has(keyword)) return false;
    if (!isStrict) return true;
    // A grammar repeats the rule of an item as often.
    const isLong = (keyword === "minItems" || keyword === "maxItems") && Number(value) > 1000;
    return ranges.has(keyword) && !isLong;
  },
  requiresAllKeys: true,
  takesMaps: false,
  takesTuples: false,
  recursion: "nowhere",
  limits: { keys: 5000, depth: 10, enumValues: 1000, enumText: 15_000, text: 120_000, unions: 16 },
};

const ranges: ReadonlySet<string> = new Set([
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"],
]);

const refused: ReadonlySet<string> = new Set(["pattern", "multipleOf", "uniqueItems", "minContains", "maxContains"]);
