import type { AttackClass } from "../../harness/attack.ts";
import { controls } from "./controls.ts";
import { heldAttack } from "./held-attack.ts";
import { keySearchAttack, keySearches } from "./key-searches.ts";
import { laterGitAttack } from "./later-git-attack.ts";
import { laterGitScripts } from "./later-git-scripts.ts";
import { modeAttack, modeControl } from "./mode-attack.ts";
import { modeScripts } from "./mode-scripts.ts";
import { ruleAttack } from "./rule-attack.ts";
import { ruleScriptAttack, ruleScriptControl } from "./rule-script-attack.ts";
import { ruleScripts } from "./rule-scripts.ts";
import { rules } from "./rules.ts";
import { scriptAttack } from "./script-attack.ts";
import { scripts } from "./scripts/scripts.ts";

/**
 * Approved commands, and such that the sandbox alone holds, that try to leave the root; rules for programs that can run another program,
 * and scripts under rules that name a part of them.
 */
export const commands: AttackClass = {
  name: "commands",
  slice: { cheap: 0, dear: 3 },
  attacks: () => [
    ...scripts.map(scriptAttack),
    ...scripts.map(heldAttack),
    ...modeScripts.map(modeAttack),
    ...laterGitScripts.map(laterGitAttack),
    ...rules.map(ruleAttack),
    ...ruleScripts.map(ruleScriptAttack),
    ...keySearches.map(keySearchAttack),
    ...controls,
    ruleScriptControl,
    modeControl,
  ],
};
