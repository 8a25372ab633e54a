import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import type { Random } from "../../harness/random.ts";
import { callsAbout, disturbed } from "./disturbed.ts";
import { furnish, type Target, targets } from "./guarded-files.ts";
import type { Spell } from "./guarded-spellings.ts";

export function guardedAttack(name: string, spell: Spell, target: Target): Attack {
  return {
    name: `guarded ${target}, ${name}`,
    async run(place) {
      const options = furnish(place);
      const file = spell(join(place.outer, target), place);
      return disturbed(place, options, callsAbout(file, place.canary));
    },
  };
}

/** Adds random detours to a path that lead back to it. */
export function randomSpellingAttack(random: Random): Attack {
  const target = random.pick(targets);
  const salt = Array.from({ length: 12 }, () => random.below(1000));
  const spell: Spell = (path) => {
    const names = path.split("/").slice(1);
    return names.reduce((whole, name, index) => {
      const detour = ["", "/.", "//.", `/../${names[index - 1] ?? ".."}`, "/./../.".slice(0, 2)][
        (salt[index % 12] ?? 0) % 5
      ];
      return index > 0 && detour ? `${whole}${detour}/${name}` : `${whole}/${name}`;
    }, "");
  };
  return guardedAttack(`with detours ${salt.slice(0, 4).join()}`, spell, target);
}
