import type { JsonObject } from "../json.ts";
import type { Draft } from "./draft.ts";
import type { QuestionPart } from "./part.ts";
import { fieldsOf, textOf } from "./untrusted.ts";

/**
 * Adds a question after its call, which waits from now on. A question that is known keeps its part. Another one whether the same call may
 * run takes the place of the one before, which nobody can answer any more: it would show something else.
 */
export function ask(
  draft: Draft,
  id: unknown,
  call: unknown,
  asks: QuestionPart["asks"],
  data: Readonly<Record<string, unknown>>,
): void {
  if (typeof id !== "string" || typeof call !== "string") return;
  if (draft.recent().some(({ part }) => part.type === "question" && part.id === id)) return;
  const { name, args, message, schema, agents, client } = data;
  const isApproval = asks === "approval";
  const below = Array.isArray(agents) ? { agents: agents.map(textOf) } : undefined;
  const question: QuestionPart = {
    type: "question",
    id,
    call,
    name: textOf(name),
    asks,
    concerns: (isApproval ? listOf(data.concerns) : []).map((concern) => {
      const { kind, why } = fieldsOf(concern);
      return { kind: textOf(kind), why: textOf(why) };
    }),
    touches: (isApproval ? listOf(data.touches) : []).map(textOf),
    ...below,
    ...(below && isApproval && { args: fieldsOf(args) as JsonObject }),
    ...(!isApproval && typeof message === "string" && { message }),
    ...(!isApproval && schema !== undefined && { schema: fieldsOf(schema) }),
    ...(!isApproval && client === true && { client }),
    open: true,
  };
  const found = draft.openCalls().find((open) => open.call.id === call);
  const at = found ? found.at + 1 + draft.questionsOf(found.at).length : draft.parts.length;
  draft.replace(at, 0, question);
  if (isApproval && !below && found) closeReplaced(draft, found.at, id);
  if (!found || found.call.state === "done") return;
  // A hook may have changed the call: what is shown is what will run.
  const shown = isApproval &&
    !below && {
      name: question.name,
      ...(args !== undefined && { args: fieldsOf(args) as JsonObject }),
    };
  draft.replace(found.at, 1, { ...found.call, ...shown, state: "waiting" });
}

function closeReplaced(draft: Draft, call: number, by: string): void {
  draft.questionsOf(call).forEach(({ open, ...question }, i) => {
    if (open && question.id !== by && question.asks === "approval" && question.agents === undefined)
      draft.replace(call + 1 + i, 1, question);
  });
}

/** Settles the open question of this id or, without an id, that of the call. The first settlement counts. */
export function decide(
  draft: Draft,
  id: unknown,
  call: unknown,
  decision: NonNullable<QuestionPart["decision"]>,
  given: Pick<QuestionPart, "answer" | "reason">,
): void {
  const isAsked = (question: QuestionPart) => (id === undefined ? question.call === call : question.id === id);
  for (const { part, at } of draft.recent()) {
    if (part.type !== "question" || !part.open || !isAsked(part)) continue;
    const { open, ...question } = part;
    draft.replace(at, 1, { ...question, decision, ...given });
    goOn(draft, question.call);
    return;
  }
}

/** The call no longer waits, unless another question of it is open. */
function goOn(draft: Draft, id: string): void {
  for (const { call, at } of draft.openCalls()) {
    const isHeld = call.id !== id || call.state !== "waiting" || draft.questionsOf(at).some(({ open }) => open);
    if (!isHeld) draft.replace(at, 1, { ...call, state: call.started === undefined ? "pending" : "running" });
  }
}

/** The call at `at` has its result: nobody can answer its questions any more. */
export function closeQuestions(draft: Draft, at: number): void {
  draft.questionsOf(at).forEach(({ open, ...question }, i) => {
    if (open) draft.replace(at + 1 + i, 1, question);
  });
}

/** Whether a person denied the call at `at`. */
export function isDenied(draft: Draft, at: number): boolean {
  return draft.questionsOf(at).some(({ decision }) => decision === "denied");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
