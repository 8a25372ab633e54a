import { type AnswerSchema, answerSchema, type ToolInput } from "@cogency/tools";
import { insideFence } from "../inside-fence.ts";
import type { Settings } from "../settings.ts";

/** What the answer of a run must be. */
export interface ObjectTarget {
  /** The value of the last answer that fits. */
  readonly found: { value: unknown } | undefined;
  /** The settings of a run that answers so. */
  readonly settings: Settings;
}

/**
 * Lets a run end only with an answer that fits the schema. The provider constrains the answer where it can (`capabilities.format`);
 * the model is told what is wanted in any case, and what was wrong with an answer that does not fit.
 *
 * @throws TypeError for a schema that gives no JSON Schema
 */
export function objectTarget(settings: Settings, schema: ToolInput): ObjectTarget {
  const read = answerSchema(schema);
  const { json = {} } = read;
  let found: { value: unknown } | undefined;
  const { provider, driver, offered, request, system } = settings;
  const isFree = offered.length === 0 || driver.nativeCalls === true;
  const constrained = provider.capabilities.format && isFree ? { format: json } : {};
  return {
    get found() {
      return found;
    },
    settings: {
      ...settings,
      system: [system, instructions(JSON.stringify(json), offered.length > 0)].filter(Boolean).join("\n\n"),
      request: { ...request, ...constrained },
      async problemOf(answer) {
        const reading = await reasonOrValue(answer, read);
        found = "problem" in reading ? undefined : { value: reading.value };
        return "problem" in reading ? `${reading.problem} ${again}` : undefined;
      },
    },
  };
}

async function reasonOrValue(
  answer: string,
  { read }: AnswerSchema,
): Promise<{ value: unknown } | { problem: string }> {
  let value: unknown;
  try {
    value = JSON.parse(insideFence(answer));
  } catch (error) {
    return { problem: `Your answer is not JSON: ${error instanceof Error ? error.message : error}.` };
  }
  try {
    const reading = await read(value);
    return "problem" in reading ? { problem: `Your answer does not fit the schema: ${reading.problem}.` } : reading;
  } catch (error) {
    return { problem: `Your answer could not be checked: ${error instanceof Error ? error.message : error}.` };
  }
}

const again = "Answer again, with the whole JSON value and nothing else.";

function instructions(schema: string, hasTools: boolean): string {
  const when = hasTools ? "When you have called the tools that you need, answer" : "Answer";
  return (
    `${when} with one JSON value and nothing else: no other text, no code fence. In its strings, write "<" as "\\u003c". ` +
    `It must fit this JSON Schema:\n${schema}`
  );
}
