import { checkExists } from "../conversation/check-exists.ts";
import { openQuestions } from "../conversation/open-questions.ts";
import { recentEvents } from "../conversation/recent-events.ts";
import { jsonResponse } from "../json-response.ts";
import type { AskedOfOne } from "../route.ts";
import { describeQuestion } from "./describe-question.ts";

/** `GET /conversations/ID/questions`: those that are open, or with `?id=QUESTION` what the host adds to one. */
export async function listQuestions(asked: AskedOfOne): Promise<Response> {
  const { store, key, url } = asked;
  const id = url.searchParams.get("id");
  if (id !== null) return describeQuestion(asked, id);
  await checkExists(asked);
  return jsonResponse(200, openQuestions(await recentEvents(store, key)));
}
