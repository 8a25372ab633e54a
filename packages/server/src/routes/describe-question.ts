import { checkExists } from "../conversation/check-exists.ts";
import { jsonResponse } from "../json-response.ts";
import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";

/** `GET /conversations/ID/questions?id=QUESTION`: what the host adds to an open question. */
export async function describeQuestion(asked: AskedOfOne, id: string): Promise<Response> {
  const { questions, key } = asked;
  await checkExists(asked);
  const details = await questions.describe(key, id);
  if (!details) throw new Problem("not_found", "There is no such question that is open.");
  const { facts, rules } = details;
  return jsonResponse(200, {
    facts: facts.map(({ name, lines }) => ({ name, lines })),
    rules: rules.map(({ text, file }) => ({ text, file })),
  });
}
