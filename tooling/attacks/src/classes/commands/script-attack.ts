import type { Attack } from "../../harness/attack.ts";
import type { Script } from "./scripts/script.ts";
import { printedBy, surroundings } from "./shell.ts";

export function scriptAttack([name, script]: Script): Attack {
  return {
    name: `command: ${name}`,
    isDear: true,
    async run(place) {
      const world = await surroundings(place);
      const printed = await printedBy(place, script({ ...world, place }));
      return world.reached(printed);
    },
  };
}
