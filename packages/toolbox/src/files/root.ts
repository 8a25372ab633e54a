import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { ToolboxError } from "../errors.ts";
import { errorCode, fromSystem } from "./system-error.ts";

/** A folder that the tools made for it cannot leave. Made by `openRoot`. */
export interface Root {
  /** Its real path, resolved once: a link that is later turned elsewhere does not move the root. */
  readonly path: string;
  /** Its absolute path as the host named it; absolute paths given by a model may begin with it too. */
  readonly given: string;
  /**
   * What an open folder is held by. `descriptor` (Linux with /proc) reaches entries through the open descriptor, so
   * nothing can be swapped in between; `path` reaches them by path and compares what was opened with what is there.
   */
  readonly anchor: "descriptor" | "path";
}

/** @throws ToolboxError `root_not_found`, `root_not_a_folder` */
export async function openRoot(path: string): Promise<Root> {
  const given = resolve(path);
  try {
    const real = await realpath(given);
    if (!(await stat(real)).isDirectory()) throw notAFolder(path);
    return { path: real, given, anchor: ANCHOR };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOTDIR") throw notAFolder(path);
    if (code === "ENOENT") {
      throw new ToolboxError("root_not_found", path, `The root folder "${path}" does not exist. Create it first.`, {
        cause: error,
      });
    }
    throw fromSystem(error, path);
  }
}

/** Whether an absolute, normalized path is the root or lies in it. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** How a real path inside the root is shown: relative to it, with `/` between names; `.` for the root itself. */
export function pathInRoot(root: Root, real: string): string {
  return relative(root.path, real).split(sep).join("/") || ".";
}

const ANCHOR = process.platform === "linux" && existsSync("/proc/self/fd") ? "descriptor" : "path";

function notAFolder(path: string): ToolboxError {
  return new ToolboxError("root_not_a_folder", path, `The root "${path}" is not a folder.`);
}
