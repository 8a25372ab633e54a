import type { AttackClass } from "../../harness/attack.ts";
import { echoAttack, echoPieces } from "./echoes.ts";
import { expressionAttack, expressions } from "./expressions.ts";
import { globAttack, globs } from "./globs.ts";
import { ignoreFileAttack, ignoreFiles } from "./ignore-files.ts";
import { largeEditAttack, largeEdits } from "./large-edits.ts";
import { pageAttack, pages } from "./pages.ts";
import { redactionAttack, redactionPieces } from "./redactions.ts";

/** Files, patterns and pages that take long to process. Measured in processor time, because the machine may be busy. */
export const slowness: AttackClass = {
  name: "slowness",
  slice: { cheap: 2, dear: 0 },
  attacks: () => [
    ...ignoreFiles.map(ignoreFileAttack),
    ...globs.map(globAttack),
    ...expressions.map(expressionAttack),
    ...largeEdits.map(largeEditAttack),
    ...pages.map(pageAttack),
    ...redactionPieces.map(redactionAttack),
    ...echoPieces.map(echoAttack),
  ],
};
