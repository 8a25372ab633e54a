import type { ToolEvent } from "@cogency/tools/host";

/** A question that nobody was asked, because the host's own `approve` or `answer` threw. */
export interface QuestionError {
  /** The id of the question. */
  readonly question: string;
  /** The id of the call, and its name. */
  readonly id: string;
  readonly name: string;
  /** What was thrown. */
  readonly error: unknown;
}

/** Keeps what the host threw instead of an answer. */
export function noteQuestionError(errors: QuestionError[], event: ToolEvent): void {
  if (event.type !== "question_failed" && event.type !== "answered") return;
  const { question, call, error } = event;
  if (error !== undefined) errors.push({ question, id: call.id, name: call.name, error });
}
