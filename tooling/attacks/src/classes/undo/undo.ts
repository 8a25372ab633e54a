import type { AttackClass } from "../../harness/attack.ts";
import { controls } from "./controls.ts";
import { copies } from "./copies.ts";
import { copyAttack } from "./copy-attack.ts";
import { replacedAttack } from "./replaced-attack.ts";
import { replacements } from "./replacements.ts";
import { restoreRaceAttack } from "./restore-race-attack.ts";
import { restoreRaces } from "./restore-races.ts";

/** Files, copies and journals that somebody prepares, so that an undo writes elsewhere, or over what a person changed. */
export const undo: AttackClass = {
  name: "undo",
  slice: { cheap: 12, dear: 1 },
  attacks: () => [
    ...replacements.map(replacedAttack),
    ...copies.map(copyAttack),
    ...restoreRaces.map(restoreRaceAttack),
    ...controls,
  ],
};
