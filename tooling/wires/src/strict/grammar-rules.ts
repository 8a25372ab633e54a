import { at, firstProblem, isObject, type Schema } from "./json-schema.ts";

/**
 * What llama.cpp says of a schema that it cannot make a grammar of; undefined if it can. Ollama and LM Studio use it.
 * https://github.com/ggml-org/llama.cpp/blob/master/common/json-schema-to-grammar.cpp
 */
export function grammarProblem(schema: Schema): string | undefined {
  return firstProblem(schema, (part) => {
    const { $ref, pattern } = part;
    if ($ref !== undefined) return at($ref, schema) ? undefined : `Error resolving ref ${$ref}`;
    if (typeof pattern === "string" && !/^\^.*\$$/s.test(pattern))
      return "Pattern must start with '^' and end with '$'";
    if (typeof pattern === "string" && /\\[dwsDWSbB]|\(\?[=!<]/.test(pattern)) return "failed to parse grammar";
    const known = ["type", "anyOf", "oneOf", "allOf", "enum", "const", "properties", "items", "prefixItems"];
    const isKnown = Object.keys(part).length === 0 || known.some((keyword) => part[keyword] !== undefined);
    return isKnown ? undefined : `Unrecognized schema: ${JSON.stringify(part)}`;
  });
}

/** What xgrammar, which vLLM uses, does not support. https://github.com/vllm-project/vllm/pull/30390 */
export function xgrammarProblem(schema: Schema): string | undefined {
  const problem = firstProblem(schema, (part) =>
    ["multipleOf", "uniqueItems", "contains", "minContains", "maxContains", "patternProperties", "propertyNames"].some(
      (keyword) => part[keyword] !== undefined,
    )
      ? "unsupported"
      : undefined,
  );
  return problem && "The provided JSON schema contains features not supported by xgrammar.";
}

/** What LM Studio says: its other engine takes no lists of types. https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/909 */
export function typeListProblem(schema: Schema): string | undefined {
  return firstProblem(schema, ({ type }) => (Array.isArray(type) ? "ValueError: 'type' must be a string" : undefined));
}

/** What LM Studio says of the parameters of a tool. https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2254 */
export function parametersProblem(schema: unknown): string | undefined {
  if (!isObject(schema) || schema.type !== "object") return "Invalid discriminator value. Expected 'object'";
  return isObject(schema.properties) ? undefined : "Required: function.parameters.properties";
}
