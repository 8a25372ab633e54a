import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { isBelow } from "../../base/files/read-regular-file.ts";

/**
 * Whether a path lies in one of the folders by its name, and outside of all of them by its real path: it goes through a link, such
 * as a repository may bring along.
 *
 * @param path absolute, as it was typed
 * @param real its real path
 */
export async function leadsOut(path: string, real: string, folders: readonly string[]): Promise<boolean> {
  const named = folders.map((folder) => resolve(folder));
  const places = await Promise.all(named.map((folder) => realpath(folder).catch(() => folder)));
  const isInside = (one: string) => (folder: string) => isBelow(folder, one);
  return [...named, ...places].some(isInside(path)) && !places.some(isInside(real));
}
