import { shellRule } from "@cogency/toolbox/shell";
import type { Attack } from "../../harness/attack.ts";
import type { Script } from "./scripts/script.ts";
import { printedBy, surroundings } from "./shell.ts";

const rule = shellRule([], { isolated: "allow", hosts: ["allowed.example"] });

/** The rule that lets everything run that the sandbox holds. Who asks gets a no. */
const heldRule = { policy: { tools: { shell: rule } }, approve: async () => false };

/** A script that runs without a question because the sandbox holds it. */
export function heldAttack([name, script]: Script): Attack {
  return {
    name: `held by the sandbox: ${name}`,
    isDear: true,
    async run(place) {
      const world = await surroundings(place);
      return world.reached(await printedBy(place, script({ ...world, place }), { approval: heldRule }));
    },
  };
}
