import type { AttackClass } from "../../harness/attack.ts";
import { controls } from "./controls.ts";
import { guardedAttack, randomSpellingAttack } from "./guarded-attack.ts";
import { targets } from "./guarded-files.ts";
import { guardedSpellings } from "./guarded-spellings.ts";
import { laterEditAttack, laterPathAttack } from "./later-attack.ts";
import { laterEdits } from "./later-edits.ts";
import { laterPaths } from "./later-paths.ts";
import { raceAttack } from "./race-attack.ts";
import { races } from "./races.ts";
import { repositories } from "./repositories.ts";
import { repositoryAttack, repositoryFiles } from "./repository-attack.ts";
import { sweepAttack, sweeps } from "./sweeps.ts";
import { unusualPlaceAttack } from "./unusual-place-attack.ts";
import { unusualPlaces } from "./unusual-places.ts";

/** Paths by which the file tools would reach guarded files, or leave a file that runs later. */
export const paths: AttackClass = {
  name: "paths",
  slice: { cheap: 45, dear: 0 },
  attacks: (random) => [
    ...guardedSpellings.flatMap(([name, spell]) => targets.map((target) => guardedAttack(name, spell, target))),
    ...Array.from({ length: 40 }, () => randomSpellingAttack(random)),
    ...sweeps.map(sweepAttack),
    ...unusualPlaces.map(unusualPlaceAttack),
    ...repositories.flatMap((layout) => repositoryFiles.map((file) => repositoryAttack(layout, file))),
    ...laterPaths.map(laterPathAttack),
    ...laterEdits.map(laterEditAttack),
    ...races.map(raceAttack),
    ...controls,
  ],
};
