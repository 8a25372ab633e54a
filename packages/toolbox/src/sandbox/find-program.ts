import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isInside, type Root } from "../files/confine/root.ts";
import { errorCode } from "../system-error.ts";

/** The standard folders of programs, used if the PATH is missing or incomplete. */
export const systemPath = "/usr/local/bin:/usr/bin:/bin";

/** The folders of a PATH from which a command may run programs: absolute ones outside the root. */
export function programFolders(path: string, root?: Pick<Root, "base" | "given">): string[] {
  const roots = root ? [root.base, root.given] : [];
  const isOutside = (folder: string) =>
    !roots.some((base) => isInside(base, folder) || isInside(base, realPath(folder)));
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && isOutside(join(folder, ".")) && isOpen(folder));
}

/** Whether this user may look for names in a folder. Shells skip the others; the system's own search fails at the first. */
function isOpen(folder: string): boolean {
  try {
    statSync(`${folder}/.`);
    return true;
  } catch (error) {
    return errorCode(error) !== "EACCES";
  }
}

/** The real path of the first program of that name in the folders. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const path = realPath(join(folder, name));
    if (isProgram(path)) return path;
  }
  return undefined;
}

/** The real path. If nothing exists there, the path itself without `.` and `..`. */
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
