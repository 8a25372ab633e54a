import { chmodSync, chownSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../harness/place.ts";

/** Packages of another user in the folders above the current one. */
export type StrangerPackage = [name: string, prepare: (place: Place, mark: string) => string];

export const strangerPackages: readonly StrangerPackage[] = [
  [
    "another user's package in the folder above",
    (place, mark) => putPackage(place, "node_modules/gemini", mark, 65_534),
  ],
  [
    "another user's package in the current folder",
    (place, mark) => putPackage(place, "root/work/node_modules/gemini", mark, 65_534),
  ],
  [
    "another user's folder node_modules",
    (place, mark) => {
      const name = putPackage(place, "node_modules/gemini", mark);
      chownSync(join(place.outer, "node_modules"), 65_534, 65_534);
      return name;
    },
  ],
  [
    "another user's module in a package of one's own",
    (place, mark) => {
      const name = putPackage(place, "node_modules/gemini", mark);
      chownSync(join(place.outer, "node_modules/gemini/x.cjs"), 65_534, 65_534);
      return name;
    },
  ],
  ["another user's scoped package", (place, mark) => putPackage(place, "node_modules/@google/gemini", mark, 65_534)],
  [
    "a package that anyone may write",
    (place, mark) => {
      const name = putPackage(place, "node_modules/gemini", mark);
      chmodSync(join(place.outer, "node_modules/gemini/x.cjs"), 0o666);
      chmodSync(join(place.outer, "node_modules/gemini"), 0o777);
      return name;
    },
  ],
  [
    "a package in a folder that anyone may write",
    (place, mark) => {
      const name = putPackage(place, "node_modules/gemini", mark, 65_534);
      chmodSync(place.outer, 0o1777);
      return name;
    },
  ],
  [
    "a link to another user's package",
    (place, mark) => {
      putPackage(place, "elsewhere/gemini", mark, 65_534);
      place.put("node_modules/.keep");
      symlinkSync("../elsewhere/gemini", join(place.outer, "node_modules/gemini"));
      return "gemini";
    },
  ],
  [
    "a package whose entry lies in another user's folder",
    (place, mark) => {
      putPackage(place, "elsewhere/gemini", mark, 65_534);
      place.put("node_modules/gemini/package.json", '{"name":"gemini","main":"../../elsewhere/gemini/x.cjs"}');
      return "gemini";
    },
  ],
  [
    "a package whose entry is a link to another user's file",
    (place, mark) => {
      putPackage(place, "elsewhere/gemini", mark, 65_534);
      place.put("node_modules/gemini/package.json", '{"name":"gemini","main":"x.cjs"}');
      symlinkSync("../../elsewhere/gemini/x.cjs", join(place.outer, "node_modules/gemini/x.cjs"));
      return "gemini";
    },
  ],
];

export function putPackage(place: Place, folder: string, mark: string, user?: number): string {
  const files = [
    place.put(`${folder}/package.json`, '{"name":"gemini","main":"x.cjs"}'),
    place.put(
      `${folder}/x.cjs`,
      `require("fs").writeFileSync(${JSON.stringify(mark)}, ""); module.exports = () => ({});`,
    ),
  ];
  if (user !== undefined) for (const path of [...files, join(place.outer, folder)]) chownSync(path, user, user);
  return folder.replace(/^.*node_modules\//, "").replace("elsewhere/", "");
}
