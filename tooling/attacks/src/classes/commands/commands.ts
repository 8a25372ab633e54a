import type { AttackClass } from "../../harness/attack.ts";
import { controls } from "./controls.ts";
import { keySearchAttack, keySearches } from "./key-searches.ts";
import { laterGitAttack } from "./later-git-attack.ts";
import { laterGitScripts } from "./later-git-scripts.ts";
import { ruleAttack } from "./rule-attack.ts";
import { rules } from "./rules.ts";
import { scriptAttack } from "./script-attack.ts";
import { scripts } from "./scripts/scripts.ts";

/** Approved commands that try to leave the root, and rules for programs that can run another program. */
export const commands: AttackClass = {
  name: "commands",
  slice: { cheap: 0, dear: 3 },
  attacks: () => [
    ...scripts.map(scriptAttack),
    ...laterGitScripts.map(laterGitAttack),
    ...rules.map(ruleAttack),
    ...keySearches.map(keySearchAttack),
    ...controls,
  ],
};
