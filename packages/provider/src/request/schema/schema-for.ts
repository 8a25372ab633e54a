import type { JsonSchema } from "@cogency/protocol";
import { flattened } from "./flattened.ts";
import { isWithin } from "./limits.ts";
import { lower, Unfit } from "./lower.ts";
import { wrapperOf } from "./parts.ts";
import type { SchemaRules } from "./rules.ts";

/** The schema of an answer, as it is sent to a server. */
export interface ServerSchema {
  /** An object at its root. `answerFilter` reads the answers to it. */
  readonly schema: JsonSchema;
  /**
   * Whether the server may hold the model to it. If not, the rules of the server cannot say what the schema demands: a server
   * that would hold the model to it, or would refuse it, must not get it.
   */
  readonly isStrict: boolean;
}

/**
 * The schema of an answer by the rules of a server: closed objects, an object at the root, local references, and no keyword that
 * the server does not take. It admits every answer that the given schema admits, but for keys that no schema declares, and may
 * admit more: the check of the answer decides.
 */
export function schemaFor(given: JsonSchema, rules: SchemaRules): ServerSchema {
  try {
    const schema = lowered(given, rules, true);
    if (schema.type === "object" && isWithin(schema, rules.limits)) return { schema, isStrict: true };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
  }
  return { schema: asObject(lowered(given, rules, false)), isStrict: false };
}

function lowered(root: JsonSchema, rules: SchemaRules, isStrict: boolean): JsonSchema {
  const whole = lower({ root, rules, isStrict });
  const wrapper = wrapperOf(root);
  if (wrapper === undefined) return whole;
  const { $defs, ...schema } = whole;
  const properties = { [wrapper]: schema };
  return {
    type: "object",
    properties,
    required: [wrapper],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
}

/**
 * The parameters of a tool as servers take them: an object with `properties` and without a choice at its root, lists with
 * `items`, and no keyword that the server refuses. A choice at the root becomes one object with the keys of all its
 * alternatives: the check of the call decides.
 *
 * - OpenAI: `object schema missing properties` (spring-projects/spring-ai#4776), `array schema missing items`
 *   (PrefectHQ/fastmcp#2464), `must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level`
 *   (langchain-ai/langchainjs#9804)
 * - Anthropic: `input_schema does not support oneOf, allOf, or anyOf at the top level` (anthropics/claude-code#40075)
 * - LM Studio: `properties` is missing (lmstudio-ai/lmstudio-bug-tracker#2254)
 */
export function parametersFor(given: JsonSchema, rules: SchemaRules): JsonSchema {
  const parameters = asObject(lower({ root: flattened(given), rules, isStrict: false }));
  const { additionalProperties: isOpen, ...others } = parameters;
  return isOpen === true && given.additionalProperties === undefined ? others : parameters;
}

/** At least an object, whatever has become of the schema. */
function asObject(schema: JsonSchema): JsonSchema {
  if (schema.type === "object") return schema;
  const { description, $defs } = schema;
  return {
    type: "object",
    ...(description !== undefined && { description }),
    properties: {},
    ...($defs !== undefined && { $defs }),
  };
}
