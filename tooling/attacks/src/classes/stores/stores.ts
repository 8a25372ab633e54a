import type { AttackClass } from "../../harness/attack.ts";
import { controls } from "./controls.ts";
import { foreignSchemaAttack } from "./foreign-schema-attack.ts";
import { foreignSchemas } from "./foreign-schemas.ts";
import { secretAttack } from "./secret-attack.ts";
import { secrets } from "./secrets.ts";
import { takenFileAttack } from "./taken-file-attack.ts";
import { takenFiles } from "./taken-files.ts";

/** Store files that somebody else has prepared or takes away, and secrets that are to be kept out of them. */
export const stores: AttackClass = {
  name: "stores",
  slice: { cheap: 50, dear: 0 },
  attacks: (random) => [
    ...foreignSchemas.map(foreignSchemaAttack),
    ...takenFiles.flatMap((row) => [takenFileAttack(row, "append"), takenFileAttack(row, "after more")]),
    ...secrets(random).map(secretAttack),
    ...controls,
  ],
};
