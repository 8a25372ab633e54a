import type { AttackClass } from "../../harness/attack.ts";
import { commandLineAttack } from "./command-line-attack.ts";
import { commandLines } from "./command-lines.ts";
import { controls } from "./controls.ts";
import { flowAttack, longWayAttack } from "./flow-attack.ts";
import { flows } from "./flows.ts";
import { recallAttack, recalls } from "./recalls.ts";

/** Private text that would leave the machine, and untrusted text that would cause an effect, by steps that are each allowed. */
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
