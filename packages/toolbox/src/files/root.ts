import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, parse, relative, resolve, sep } from "node:path";
import { ToolboxError } from "../errors.ts";
import { makeSandbox, SANDBOX } from "./sandbox-folder.ts";
import { errorCode, fromSystem } from "./system-error.ts";

/**
 * How far the tools reach. `sandbox`: a folder of their own, `.cogency/sandbox` in the folder that the host named.
 * `project`: that folder. `system`: every file that the process may use.
 */
export type Access = "sandbox" | "project" | "system";

/** What the tools made for it cannot leave. Made by `openRoot`. */
export interface Root {
  readonly access: Access;
  /** Its real path, resolved once: a link that is later turned elsewhere does not move the root. */
  readonly path: string;
  /** The real path at which relative paths begin; `path` itself unless the access is `system`. */
  readonly base: string;
  /** The absolute path of `base` as the host named it; absolute paths given by a model may begin with it too. */
  readonly given: string;
  /**
   * What an open folder is held by. `descriptor` (Linux with /proc) reaches entries through the open descriptor, so
   * nothing can be swapped in between; `path` reaches them by path and compares what was opened with what is there.
   */
  readonly anchor: "descriptor" | "path";
}

export interface RootOptions {
  /** `"sandbox"` when absent. */
  access?: Access | undefined;
}

/**
 * Opens what the tools may reach. The sandbox is made when it is missing, with mode 0700; a `.cogency` that is made
 * for it is hidden from git.
 *
 * @param path relative to the working directory, or absolute
 * @throws ToolboxError `access_invalid`, `root_not_found`, `root_not_a_folder`, `sandbox_invalid`,
 *   `permission_denied`, `io_error`
 */
export async function openRoot(path: string, { access = "sandbox" }: RootOptions = {}): Promise<Root> {
  if (!Object.hasOwn(OPEN, access)) throw accessInvalid(access);
  const given = resolve(path);
  return { access, anchor: ANCHOR, ...(await OPEN[access](await realFolder(path, given), given)) };
}

/** Whether an absolute, normalized path is the root or lies in it. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * How a real path is shown: relative to where relative paths begin, with `/` between names, `.` for that folder
 * itself; absolute where it lies beside or above, which only `system` access reaches.
 */
export function pathInRoot(root: Root, real: string): string {
  if (!isInside(root.base, real)) return real.split(sep).join("/");
  return relative(root.base, real).split(sep).join("/") || ".";
}

/** How what lies below a folder is shown, given how the folder is. */
export function shownBelow(folder: string, path: string): string {
  if (folder === ".") return path;
  return folder.endsWith("/") ? folder + path : `${folder}/${path}`;
}

type Place = Pick<Root, "path" | "base" | "given">;

const OPEN: Record<Access, (real: string, given: string) => Promise<Place>> = {
  sandbox: async (real, given) => {
    const path = await makeSandbox(real);
    return { path, base: path, given: join(given, SANDBOX) };
  },
  project: async (real, given) => ({ path: real, base: real, given }),
  system: async (real, given) => ({ path: parse(real).root, base: real, given }),
};

const ANCHOR = process.platform === "linux" && existsSync("/proc/self/fd") ? "descriptor" : "path";

async function realFolder(path: string, given: string): Promise<string> {
  try {
    const real = await realpath(given);
    if (!(await stat(real)).isDirectory()) throw notAFolder(path);
    return real;
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

function accessInvalid(access: unknown): ToolboxError {
  const known = Object.keys(OPEN)
    .map((name) => `"${name}"`)
    .join(", ");
  return new ToolboxError("access_invalid", String(access), `There is no access "${access}". Use one of ${known}.`);
}

function notAFolder(path: string): ToolboxError {
  return new ToolboxError("root_not_a_folder", path, `The root "${path}" is not a folder.`);
}
