import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../harness/place.ts";

/** What somebody puts in the place of `docs/a.txt`, or of its folder, after the agent has changed it. */
export type Replacement = [name: string, replace: (place: Place) => void];

const file = ({ root }: Place) => join(root, "docs", "a.txt");
const folder = ({ root }: Place) => join(root, "docs");
const outside = ({ outer }: Place) => join(outer, "outside");

export const replacements: readonly Replacement[] = [
  ["a text of a person", (place) => writeFileSync(file(place), "a person's")],
  [
    "a text of a person, with the size and the time of the agent's",
    (place) => {
      const time = execFileSync("stat", ["-c", "%Y", file(place)], { encoding: "utf8" }).trim();
      writeFileSync(file(place), "own");
      execFileSync("touch", ["-d", `@${time}`, file(place)]);
    },
  ],
  [
    "a link to a file outside that holds the same",
    (place) => {
      writeFileSync(join(outside(place), "a.txt"), "new");
      rmSync(file(place));
      symlinkSync(join(outside(place), "a.txt"), file(place));
    },
  ],
  [
    "a link to a file that is not there",
    (place) => {
      rmSync(file(place));
      symlinkSync(join(outside(place), "made.txt"), file(place));
    },
  ],
  [
    "a folder",
    (place) => {
      rmSync(file(place));
      mkdirSync(file(place));
      writeFileSync(join(file(place), "inner.txt"), "a person's");
    },
  ],
  [
    "a FIFO",
    (place) => {
      rmSync(file(place));
      execFileSync("mkfifo", [file(place)]);
    },
  ],
  [
    "its folder by a link to one outside that has the same file",
    (place) => {
      writeFileSync(join(outside(place), "a.txt"), "new");
      renameSync(folder(place), `${folder(place)}.old`);
      symlinkSync(outside(place), folder(place));
    },
  ],
  [
    "the root by a link to a folder outside that has the same file",
    (place) => {
      place.put("outside/docs/a.txt", "new");
      renameSync(place.root, `${place.root}.old`);
      symlinkSync(outside(place), place.root);
    },
  ],
  [
    "its folder by one of git",
    (place) => {
      renameSync(folder(place), join(place.root, ".git"));
      symlinkSync(".git", folder(place));
    },
  ],
  [
    "a second name of a file outside that holds something else",
    (place) => {
      rmSync(file(place));
      linkSync(join(outside(place), "a.txt"), file(place));
    },
  ],
];
