import type { AttackClass } from "../../harness/attack.ts";
import { invisibleMarks } from "./invisible-marks.ts";
import { markAttack } from "./mark-attack.ts";
import { shownCallAttack } from "./shown-call-attack.ts";
import { shownCalls } from "./shown-calls.ts";
import { typedAnswerAttack } from "./typed-answer-attack.ts";
import { typedAnswers } from "./typed-answers.ts";

/** Questions at a real terminal. A yes may count only after everything that will run could be read. */
export const questions: AttackClass = {
  name: "questions",
  slice: { cheap: 0, dear: 2 },
  attacks: () => [
    ...shownCalls.map(shownCallAttack),
    ...invisibleMarks.map(markAttack),
    ...typedAnswers.map(typedAnswerAttack),
  ],
};
