import type { Place } from "../../../harness/place.ts";
import type { World } from "../../../harness/world.ts";

interface Surroundings extends World {
  place: Place;
}

/** A script for the shell tool. Tries several ways if programs may be missing. */
export type Script = [name: string, script: (world: Surroundings) => string];
