import type { AttackClass } from "../../harness/attack.ts";
import { callTextAttack, callTexts } from "./call-texts.ts";
import { coercionAttack, coercions } from "./coercions.ts";
import { fittingCalls } from "./fitting-arguments.ts";
import { hostSchemaAttack, hostSchemas } from "./host-schemas.ts";
import { toolNameAttack, toolNames } from "./tool-names.ts";
import { generatedNameAttack, unknownNameAttack } from "./unknown-name-attack.ts";
import { unknownNames } from "./unknown-names.ts";

/** Names and values of arguments that differ from what would run. */
export const argumentNames: AttackClass = {
  name: "arguments",
  slice: { cheap: 60, dear: 0 },
  attacks: (random) => [
    ...unknownNames.map(([tool, args]) => unknownNameAttack(tool, args)),
    ...Array.from({ length: 40 }, () => generatedNameAttack(random)),
    ...toolNames.map(toolNameAttack),
    ...callTexts.map(callTextAttack),
    ...hostSchemas.map(hostSchemaAttack),
    ...coercions.map(coercionAttack),
    ...fittingCalls,
  ],
};
