import { type HookAnswer, type HookPoint, rulesOf } from "./hook-program.ts";

/** What a program has answered, or what is wrong with that. */
export type ReadAnswer = { readonly answer: HookAnswer } | { readonly problem: string };

/**
 * Reads what a program wrote to stdout: nothing, or one JSON object with the fields that its point has. At a point that only watches,
 * text that is no JSON object is ignored, because programs such as formatters print.
 */
export function readAnswer(at: HookPoint, stdout: string): ReadAnswer {
  const text = stdout.trim();
  if (text === "") return { answer: {} };
  const { fields, isGuard } = rulesOf(at);
  if (!text.startsWith("{")) return isGuard ? { problem: `it printed ${quoted(text)}, ${expected}` } : { answer: {} };
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: `it printed ${quoted(text)}, ${expected}` };
  }
  for (const [field, one] of Object.entries(value)) {
    if (!(fields as readonly string[]).includes(field)) {
      const known = fields.length === 0 ? "no field is read here" : `there are ${fields.join(", ")}`;
      return { problem: `its answer has the field ${quoted(field)}, and at ${at} ${known}` };
    }
    const wanted = field === "decision" ? decisionProblem(at, one) : textProblem(one);
    if (wanted !== undefined) return { problem: `the field ${field} of its answer is not ${wanted}` };
  }
  return { answer: value };
}

const expected = 'which is not one JSON object, such as {"decision": "deny", "reason": "…"}';

function decisionProblem(at: HookPoint, value: unknown): string | undefined {
  const choices = at === "beforeToolUse" ? ["allow", "deny", "ask"] : ["allow", "deny"];
  return choices.includes(value as string) ? undefined : choices.map((one) => `"${one}"`).join(" or ");
}

function textProblem(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? undefined : "a text";
}

/** The beginning of a text, in one line. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text);
}
