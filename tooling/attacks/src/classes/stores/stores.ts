import type { AttackClass } from "../../harness/attack.ts";
import { controls } from "./controls.ts";
import { foreignSchemaAttack } from "./foreign-schema-attack.ts";
import { foreignSchemas } from "./foreign-schemas.ts";
import { secretAttack } from "./secret-attack.ts";
import { secrets } from "./secrets.ts";
import { takenFileAttack } from "./taken-file-attack.ts";
import { takenFiles } from "./taken-files.ts";

/** Store files that another program has prepared or removes, and secrets that must not be stored. */
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
