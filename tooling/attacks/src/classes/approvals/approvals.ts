import type { AttackClass } from "../../harness/attack.ts";
import { importAttack } from "./import-attack.ts";
import { imports } from "./imports.ts";
import { keyFile } from "./key-file.ts";
import { originAttack } from "./origin-attack.ts";
import { origins } from "./origins.ts";
import { restartAttack } from "./restart-attack.ts";
import { restarts } from "./restarts.ts";
import { scrambled, tamperedAttack } from "./tampered-attack.ts";
import { tamperings } from "./tamperings.ts";

/** Invalid approvals: forged, changed, replayed, or given elsewhere. */
export const approvals: AttackClass = {
  name: "approvals",
  slice: { cheap: 25, dear: 1 },
  attacks: (random) => [
    ...tamperings.map((row) => tamperedAttack(row)),
    ...origins.map(originAttack),
    ...Array.from({ length: 60 }, (_, index) => scrambled(index, random)),
    ...imports.map(importAttack),
    ...restarts.map(restartAttack),
    keyFile,
  ],
};
