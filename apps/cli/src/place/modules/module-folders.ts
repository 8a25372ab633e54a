import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Returns the folders that may hold packages of the project: each `node_modules` from a folder up to that of the project.
 * The project is the nearest folder with `.git`, else the nearest with a `package.json`, else the folder itself. Folders
 * above the project are not searched.
 */
export function projectModules(folder: string): string[] {
  const folders = upwards(folder);
  const root = [".git", "package.json"]
    .map((name) => folders.findIndex((place) => existsSync(join(place, name))))
    .find((index) => index >= 0);
  return folders.slice(0, (root ?? 0) + 1).map((place) => join(place, "node_modules"));
}

/** Returns the folders that may hold the dependencies of a program: its own package, and each `node_modules` above it. */
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
