import type { AttackClass } from "../../harness/attack.ts";
import { controls } from "./controls.ts";
import { intrusionAttack } from "./intrusion-attack.ts";
import { intrusions } from "./intrusions.ts";
import { ruleAttacks } from "./rule-attacks.ts";

/** Requests of other pages, other users of the machine and other sites to the page that `cogency open` serves. */
export const pages: AttackClass = {
  name: "pages",
  slice: { cheap: 0, dear: 1 },
  attacks: () => [...intrusions.map(intrusionAttack), ...ruleAttacks, ...controls],
};
