import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Where the packages of the project that a folder belongs to may be: the `node_modules` from the folder up to the project's
 * own. The project is the nearest folder with `.git`; without one the nearest with a `package.json`; else the folder
 * itself. What lies above it does not belong to the project.
 */
export function projectModules(folder: string): string[] {
  const folders = upwards(folder);
  const root = [".git", "package.json"]
    .map((name) => folders.findIndex((place) => existsSync(join(place, name))))
    .find((index) => index >= 0);
  return folders.slice(0, (root ?? 0) + 1).map((place) => join(place, "node_modules"));
}

/** Where what a program depends on may be: in its own package, and in each `node_modules` that the program lies in. */
export function programModules(file: string): string[] {
  const folders = upwards(dirname(file));
  const own = folders.findIndex((place) => existsSync(join(place, "package.json")));
  const inside = folders.slice(0, own + 1).map((place) => join(place, "node_modules"));
  return [...inside, ...folders.filter((place) => basename(place) === "node_modules")];
}

function upwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}
