import type { AttackClass } from "../../harness/attack.ts";
import { changedQuestionAttack, changedQuestions } from "./changed-question.ts";
import { controls } from "./controls.ts";
import { madeAttack } from "./made-attack.ts";
import { madePlaces } from "./made-places.ts";
import { obeyedPathAttack, obeyedPaths } from "./obeyed-paths.ts";

/** Calls that leave what the app or git obeys at their next start, and questions that were asked about something else. */
export const obeyed: AttackClass = {
  name: "obeyed",
  slice: { cheap: 10, dear: 3 },
  attacks: () => [
    ...obeyedPaths.map(obeyedPathAttack),
    ...changedQuestions.map(changedQuestionAttack),
    ...madePlaces.map(madeAttack),
    ...controls,
  ],
};
