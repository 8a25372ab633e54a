import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isInside, type Root } from "../files/confine/root.ts";

/** Where programs of a system lie, also where no PATH says so. */
export const systemPath = "/usr/local/bin:/usr/bin:/bin";

/** The folders of a PATH that a command may take programs from: absolute ones that do not lie in the root. */
export function programFolders(path: string, root?: Pick<Root, "base" | "given">): string[] {
  const roots = root ? [root.base, root.given] : [];
  const isOutside = (folder: string) =>
    !roots.some((base) => isInside(base, folder) || isInside(base, realPath(folder)));
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && isOutside(join(folder, ".")));
}

/** The real path of the first program of that name in the folders. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const path = realPath(join(folder, name));
    if (isProgram(path)) return path;
  }
  return undefined;
}

/** A path without links; the path itself, without `.` and `..`, where there is nothing. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(path, ".");
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
