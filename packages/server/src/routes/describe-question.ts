import { jsonResponse } from "../json-response.ts";
import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";
import { checkExists } from "./check-exists.ts";

/** `GET /conversations/ID/questions?id=QUESTION`: what the host adds to an open question. */
export async function describeQuestion(asked: AskedOfOne): Promise<Response> {
  const { questions, key, url } = asked;
  const id = url.searchParams.get("id");
  if (id === null) throw new Problem("invalid_request", "`id` of the address is missing: give that of a question.");
  await checkExists(asked);
  const details = await questions.describe(key, id);
  if (!details) throw new Problem("not_found", "There is no such question that is open.");
  const { facts, rules } = details;
  return jsonResponse(200, {
    facts: facts.map(({ name, lines }) => ({ name, lines })),
    rules: rules.map(({ text, file }) => ({ text, file })),
  });
}
