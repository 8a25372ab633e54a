import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, parse, relative, resolve, sep } from "node:path";
import { checkOption, name, required } from "@cogency/protocol/options";
import { ToolboxError } from "../../errors.ts";
import { checkOptionsOf } from "../../options.ts";
import { errorCode, fromSystem } from "../../system-error.ts";
import { GuardedPaths } from "../guard/guarded-paths.ts";
import { isInside } from "../guard/is-inside.ts";
import { markedFiles } from "./marked-files.ts";
import { type ObeyedNames, obeyedNames } from "./obeyed-names.ts";
import { makeSandbox, sandboxPath } from "./sandbox-folder.ts";

/**
 * How far the tools reach. `sandbox`: a folder of their own, `.cogency/sandbox` in the folder that the host named.
 * `project`: that folder. `system`: every file that the process may use.
 */
export type Access = "sandbox" | "project" | "system";

/** The folder that file tools cannot leave. `openRoot` makes it. */
export interface Root {
  readonly access: Access;
  /** Its real path, resolved once: changing a link later does not move the root. */
  readonly path: string;
  /** The real path that relative paths begin at; equal to `path` unless the access is `system`. */
  readonly base: string;
  /** The absolute path of `base` as the host named it; absolute paths given by a model may begin with it too. */
  readonly given: string;
  /**
   * How the tools reach the entries of an open folder. `descriptor` (Linux with /proc): through the open descriptor, so that
   * no swapped link has an effect. `path`: by path, and the tools compare what they opened with what is there.
   */
  readonly anchor: "descriptor" | "path";
  /**
   * The real, absolute paths that no file tool reaches, with SQLite's side files, whether they exist or not. Programs that a
   * tool starts do not know this list: the tool must protect these paths from them.
   */
  readonly guarded: readonly string[];
  /** Finds the guarded files as they are now. */
  readonly guard: GuardedPaths;
  /** The names of what the program obeys. Programs that a tool starts do not know them, as with `guarded`. */
  readonly obeyed: ObeyedNames;
  /** Whether the host marked the file or folder with this real path, or a folder above it, as untrusted. */
  isMarked(real: string): boolean;
  /** Whether the host marked anything. */
  readonly hasMarks: boolean;
}

export interface RootOptions {
  /** Defaults to `"sandbox"`. */
  access?: Access | undefined;
  /**
   * Absolute paths of files and folders that no tool reads, changes or shows, with any access and spelling, such as the store
   * and the settings of the program. A folder includes everything below it, a file the side files of SQLite. They need not
   * exist yet.
   */
  guarded?: readonly string[] | undefined;
  /**
   * Names of files and folders that configure the program, in every folder of the root: tools read them but never change
   * them, and commands in a sandbox can neither change nor make them. Defaults to `[".cogency"]`.
   */
  config?: readonly string[] | undefined;
  /**
   * Names of files that instruct the model, in every folder of the root: a call that changes one asks, and commands in a
   * sandbox can neither change nor make them. Defaults to `["AGENTS.md"]`.
   */
  instructions?: readonly string[] | undefined;
  /** Globs of files that no person vouches for, such as `vendor/**`: text read from them counts as untrusted. */
  untrusted?: readonly string[] | undefined;
}

/**
 * Opens the folder that the tools may reach. With `sandbox` access it creates the sandbox folder if it is missing, with mode
 * 0700, and hides a new `.cogency` from git.
 *
 * @param path relative to the working directory, or absolute
 * @throws ToolboxError `access_invalid`, `root_not_found`, `root_not_a_folder`, `sandbox_invalid`, `path_invalid` for
 *   `guarded`, `config` and `instructions`, `pattern_invalid` for `untrusted`, `out_of_reach` for a root that is itself guarded,
 *   `permission_denied`, `io_error`
 */
export async function openRoot(path: string, options: RootOptions = {}): Promise<Root> {
  checkOption("openRoot", "path", path, required(name));
  checkOptionsOf("openRoot", options);
  const { access = "sandbox", guarded = [], untrusted = [] } = options;
  if (!Object.hasOwn(openPlace, access)) throw accessInvalid(access);
  const obeyed = obeyedNames(options.config ?? [".cogency"], options.instructions ?? ["AGENTS.md"]);
  const given = resolve(path);
  const guard = await GuardedPaths.open(guarded);
  const place = await openPlace[access](await realFolder(path, given), given);
  (await guard.now()).checkName(place.base, path);
  const isMarked = markedFiles(place.base, untrusted);
  const hasMarks = untrusted.length > 0;
  return { access, anchor: ownAnchor, guarded: guard.paths, guard, obeyed, isMarked, hasMarks, ...place };
}

export { isInside } from "../guard/is-inside.ts";

/**
 * Returns a real path as it is shown: relative to the base, with `/` between names, and `.` for the base itself. A path outside
 * the base, which only `system` access reaches, is absolute.
 */
export function pathInRoot(root: Root, real: string): string {
  if (!isInside(root.base, real)) return real.split(sep).join("/");
  return relative(root.base, real).split(sep).join("/") || ".";
}

/** The shown path of an entry below a folder, from the shown path of the folder. */
export function shownBelow(folder: string, path: string): string {
  if (folder === ".") return path;
  return folder.endsWith("/") ? folder + path : `${folder}/${path}`;
}

type OpenedAt = Pick<Root, "path" | "base" | "given">;

const openPlace: Record<Access, (real: string, given: string) => Promise<OpenedAt>> = {
  sandbox: async (real, given) => {
    const path = await makeSandbox(real);
    return { path, base: path, given: join(given, sandboxPath) };
  },
  project: async (real, given) => ({ path: real, base: real, given }),
  system: async (real, given) => ({ path: parse(real).root, base: real, given }),
};

const ownAnchor = process.platform === "linux" && existsSync("/proc/self/fd") ? "descriptor" : "path";

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
  const known = Object.keys(openPlace)
    .map((name) => `"${name}"`)
    .join(", ");
  return new ToolboxError("access_invalid", String(access), `There is no access "${access}". Use one of ${known}.`);
}

function notAFolder(path: string): ToolboxError {
  return new ToolboxError("root_not_a_folder", path, `The root "${path}" is not a folder.`);
}
