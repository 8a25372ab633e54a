import type { Json } from "@cogency/protocol";
import { type Question, type ToolContext, ToolError } from "@cogency/tools";

/** A call whose person answers what `answer` returns. Throws for a person who does not want to answer. */
export function callOf(answer: (question: Question) => Json | Promise<Json>, parts: Partial<ToolContext> = {}) {
  const asked: Question[] = [];
  const ask = async (question: Question) => {
    asked.push(question);
    return answer(question);
  };
  const context = {
    call: { id: "call_1", name: "tool", args: {} },
    signal: new AbortController().signal,
    state: { events: [], metadata: {}, step: 1, usage: noUsage },
    conversation: "c",
    user: undefined,
    progress: () => {},
    ...parts,
    ask: ask as unknown as ToolContext["ask"],
  } as ToolContext;
  return { context, asked };
}

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** What `ask` rejects with. */
export function askError(code: "unanswered" | "answer_failed" | "left"): Error {
  return new ToolError(code, `The question of tool was not answered: ${code}.`, { tool: "tool" });
}
