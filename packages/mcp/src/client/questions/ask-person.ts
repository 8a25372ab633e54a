import type { Json, JsonSchema } from "@cogency/protocol";
import { isToolError, type ToolContext } from "@cogency/tools";

/** What became of a question: the answer, or that the person refused (`decline`) or that nobody answered (`cancel`). */
export type Asked = { readonly answer: Json } | { readonly refused: "decline" | "cancel"; readonly because: string };

/**
 * Puts a question of a server to the person of a call. A call asks at most twenty times.
 *
 * @throws ToolError `left` where the question waits, `cancelled` with the call; the reason of the signal after an abort
 */
export async function askPerson(
  context: Pick<ToolContext, "ask" | "signal">,
  question: { readonly message: string; readonly schema: JsonSchema },
): Promise<Asked> {
  const count = (asked.get(context.ask) ?? 0) + 1;
  if (count > mostQuestions) return { refused: "decline", because: `this call has asked ${mostQuestions} times` };
  asked.set(context.ask, count);
  try {
    return { answer: (await context.ask(question)) as Json };
  } catch (error) {
    if (context.signal.aborted || isToolError(error, "left", "cancelled")) throw error;
    if (isToolError(error, "unanswered")) return { refused: "cancel", because: "nobody answered" };
    // The host's `answer` threw, as it does for a person who does not want to answer.
    if (isToolError(error, "answer_failed")) return { refused: "decline", because: "the person gave no answer" };
    const because = error instanceof Error ? error.message : String(error);
    return { refused: "decline", because: `no person could be shown it: ${because}` };
  }
}

const mostQuestions = 20;

/** How often each call has asked. */
const asked = new WeakMap<ToolContext["ask"], number>();
