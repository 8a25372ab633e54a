import type { QuestionPart } from "@cogency/client";
import { type FormEvent, useId } from "react";
import { client } from "./client.ts";
import { answerOf, answersOf, questionOf } from "./question.ts";
import { focusComposer, thenWrite } from "./thenWrite.ts";

interface QuestionViewProps {
  /** The conversation. */
  id: string;
  part: QuestionPart;
  /** An answer is on its way. */
  isAnswered: boolean;
}

/** A question to the person, with what they can say, or what they have said. */
export function QuestionView({ id, part, isAnswered }: QuestionViewProps) {
  const { asks, concerns, open, decision, reason, answer } = part;
  const label = useId();
  const conversation = client.conversation(id);
  const isApproval = asks === "approval";
  const answers = answersOf(part);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const words = `${new FormData(event.currentTarget).get("words") ?? ""}`;
    void (isApproval
      ? conversation.deny(part.id, words || undefined)
      : conversation.answer(part.id, answerOf(part, words)));
    focusComposer();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: the fieldset is inside, where it can be disabled
    <div className="question" data-open={open} role="group" aria-labelledby={label}>
      <h2 id={label}>{questionOf(part)}</h2>
      {concerns.map(({ why }) => (
        <p key={why}>{why}</p>
      ))}
      {!open && (
        <p className="end">
          {[decision ?? "Nobody answered", reason, answer].filter((one) => one !== undefined).join(": ")}
        </p>
      )}
      {open && !part.client && (
        <form onSubmit={submit}>
          <fieldset disabled={isAnswered}>
            {isApproval && (
              <button type="button" className="main" onClick={thenWrite(() => conversation.approve(part.id))}>
                Allow
              </button>
            )}
            {answers.map((one) => (
              <button key={`${one}`} type="button" onClick={thenWrite(() => conversation.answer(part.id, one))}>
                {`${one}`}
              </button>
            ))}
            {answers.length === 0 && <button type="submit">{isApproval ? "Deny" : "Answer"}</button>}
            {answers.length === 0 && (
              <input
                name="words"
                aria-label={isApproval ? "Why not" : "Answer"}
                placeholder={isApproval ? "Why not (optional)" : undefined}
                required={!isApproval}
                autoComplete="off"
              />
            )}
          </fieldset>
        </form>
      )}
    </div>
  );
}
