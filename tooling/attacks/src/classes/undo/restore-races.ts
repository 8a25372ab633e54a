import { join } from "node:path";
import type { Place } from "../../harness/place.ts";

/** Folders that another thread keeps putting a link to in the place of `docs`, while an undo restores `docs/a.txt`. */
export type RestoreRace = [name: string, target: (place: Place) => string];

export const restoreRaces: readonly RestoreRace[] = [
  ["a folder outside", ({ outer }) => join(outer, "outside")],
  ["the folder of git's hooks", ({ root }) => join(root, ".git", "hooks")],
];
