import type { AttackClass } from "../../harness/attack.ts";
import { forgedTexts } from "./forged-texts.ts";
import { promptAttack, resultAttack, soupAttack } from "./marker-attack.ts";
import { controls, plantedCallAttack } from "./planted-call-attack.ts";
import { plantedCalls } from "./planted-calls.ts";

/** Prompts and results that hold markers of the protocol, or a call for the model to copy. */
export const markers: AttackClass = {
  name: "markers",
  slice: { cheap: 60, dear: 0 },
  attacks: (random) => [
    ...forgedTexts.map(([name, text]) => promptAttack(name, text)),
    ...forgedTexts.map(([name, text]) => resultAttack(name, text)),
    ...Array.from({ length: 30 }, (_, index) => soupAttack(index, random)),
    ...plantedCalls.map(plantedCallAttack),
    ...controls,
  ],
};
