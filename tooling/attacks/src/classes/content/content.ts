import type { AttackClass } from "../../harness/attack.ts";
import { commandLineAttack } from "./command-line-attack.ts";
import { commandLines } from "./command-lines.ts";
import { controls } from "./controls.ts";
import { flowAttack, longWayAttack } from "./flow-attack.ts";
import { flows } from "./flows.ts";
import { recallAttack, recalls } from "./recalls.ts";

/** Private text on its way out, and text of strangers on its way to an effect: each step as the host allows it. */
export const content: AttackClass = {
  name: "content",
  slice: { cheap: 25, dear: 1 },
  attacks: (random) => [
    ...flows().map(flowAttack),
    ...Array.from({ length: 40 }, (_, index) => longWayAttack(index, random)),
    ...commandLines.map(commandLineAttack),
    ...recalls.map(recallAttack),
    ...controls,
  ],
};
