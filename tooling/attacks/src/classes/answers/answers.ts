import type { AttackClass } from "../../harness/attack.ts";
import { commandKeyAttack } from "./command-key-attack.ts";
import { commandKeys } from "./command-keys.ts";
import { echoAttack } from "./echo-attack.ts";
import { echoes } from "./echoes.ts";
import { floodAttack } from "./flood-attack.ts";
import { floods } from "./floods.ts";
import { frameAttack } from "./frame-attack.ts";
import { libraryKeyAttack, libraryKeys } from "./library-keys.ts";
import { redirectAttack } from "./redirect-attack.ts";
import { redirects } from "./redirects.ts";

/** Model servers that flood the client, redirect it, or would receive keys of another server. */
export const providerAnswers: AttackClass = {
  name: "answers",
  slice: { cheap: 0, dear: 1 },
  attacks: () => [
    ...floods.map(floodAttack),
    ...redirects.map(redirectAttack),
    ...echoes.map(echoAttack),
    ...commandKeys.map(commandKeyAttack),
    ...libraryKeys.map(libraryKeyAttack),
    frameAttack,
  ],
};
