import type { ToolInput } from "@cogency/tools";
import { type AnswerSchema, answerSchema } from "@cogency/tools/host";
import { valueOfModel } from "../drivers/model-json.ts";
import { insideFence } from "../inside-fence.ts";
import type { ObjectTarget, Settings } from "../settings.ts";

/**
 * The settings of one run that ends only with an answer that fits the schema. The provider constrains the answer where it can
 * (`capabilities.format`); the model is told what is wanted in any case, and what was wrong with an answer that does not fit.
 *
 * @throws TypeError for a schema that gives no JSON Schema
 */
export function withObject(settings: Settings, schema: ToolInput): Settings {
  const target = targetOf(answerSchema(schema));
  const { provider, driver, offered, changing, request, system } = settings;
  const mayCall = offered.length > 0 || changing !== undefined;
  const isFree = !mayCall || driver.nativeCalls === true;
  const constrained = provider.capabilities.format && isFree ? { format: target.schema } : {};
  return {
    ...settings,
    system: [system, instructions(JSON.stringify(target.schema), mayCall)].filter(Boolean).join("\n\n"),
    request: { ...request, ...constrained },
    object: target,
  };
}

function targetOf(read: AnswerSchema): ObjectTarget {
  const { json: schema = {} } = read;
  let found: ObjectTarget["found"];
  return {
    schema,
    get found() {
      return found;
    },
    async problemOf(answer) {
      const reading = await reasonOrValue(answer, read);
      found = "problem" in reading ? undefined : { value: reading.value };
      return "problem" in reading ? reading.problem : undefined;
    },
  };
}

async function reasonOrValue(
  answer: string,
  { read }: AnswerSchema,
): Promise<{ value: unknown } | { problem: string }> {
  const json = valueOfModel("Your answer is", insideFence(answer));
  if (json.problem !== undefined) return { problem: json.problem };
  try {
    const reading = await read(json.value);
    return "problem" in reading ? { problem: `Your answer does not fit the schema: ${reading.problem}.` } : reading;
  } catch (error) {
    return { problem: `Your answer could not be checked: ${error instanceof Error ? error.message : error}.` };
  }
}

function instructions(schema: string, hasTools: boolean): string {
  const when = hasTools ? "When you have called the tools that you need, answer" : "Answer";
  return (
    `${when} with one JSON value and nothing else: no other text, no code fence. In its strings, write "<" as "\\u003c". ` +
    `It must fit this JSON Schema:\n${schema}`
  );
}
