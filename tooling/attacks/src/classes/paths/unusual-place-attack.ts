import type { Attack } from "../../harness/attack.ts";
import { callsAbout, disturbed } from "./disturbed.ts";
import type { UnusualPlace } from "./unusual-places.ts";

export function unusualPlaceAttack([name, prepare, file]: UnusualPlace): Attack {
  return {
    name: `place: ${name}`,
    async run(place) {
      try {
        return await disturbed(place, prepare(place), callsAbout(file, place.canary));
      } catch (error) {
        // If the root itself is out of reach, no tool is made.
        if ((error as { code?: unknown }).code === "out_of_reach") return undefined;
        throw error;
      }
    },
  };
}
