import type { BigIntStats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { errorCode, fromSystem } from "../../system-error.ts";
import type { Reach } from "../guard/reach.ts";
import { isInside, pathInRoot, type Root } from "./root.ts";

/** Where a path given by a model leads: always into the root. */
export interface ConfinedPath {
  /** As it was given. */
  readonly asked: string;
  /** Absolute, without links. Names that do not exist yet follow the real path of the deepest folder that does. */
  readonly real: string;
  /** As it is shown to the model: see `pathInRoot`. */
  readonly relative: string;
  /** `other` is a device, a pipe or a socket. */
  readonly kind: "file" | "folder" | "other" | "missing";
  /** The names at its end that do not exist; empty when all do. */
  readonly missing: readonly string[];
}

/**
 * Resolves a path, relative to the root's base or absolute, to a real path. It follows links that stay inside the root, and
 * refuses links that leave it or lead to nothing, and guarded paths. It removes `..` by name before any look-up.
 *
 * The path may lead elsewhere right after this call. So `ConfinedFolder` checks again what it opens.
 *
 * @throws ToolboxError `path_invalid`, `path_outside_root`, `out_of_reach`, `not_a_folder`, `permission_denied`,
 *   `io_error`
 */
export async function confinePath(root: Root, asked: string): Promise<ConfinedPath> {
  let place: Followed = { real: root.path, kind: "folder" };
  const missing: string[] = [];
  const names = namesInside(root, asked);
  const reach = await root.guard.now();
  for (const name of names) {
    if (place.kind === "missing") {
      place = { real: join(place.real, name), kind: "missing" };
    } else if (place.kind === "folder") {
      place = await follow(root, join(place.real, name), asked, reach);
    } else {
      throw new ToolboxError("not_a_folder", asked, `"${pathInRoot(root, place.real)}" is not a folder.`);
    }
    if (place.kind === "missing") missing.push(name);
  }
  reach.checkName(place.real, asked);
  return { asked, real: place.real, relative: pathInRoot(root, place.real), kind: place.kind, missing };
}

type Followed = Pick<ConfinedPath, "real" | "kind">;

/** The names on the way from the root to the path. @throws ToolboxError if the path is outside by its names */
function namesInside(root: Root, asked: string): string[] {
  if (asked === "") throw new ToolboxError("path_invalid", asked, 'The path is empty. "." is the root folder.');
  if (asked.includes("\0") || !asked.isWellFormed()) {
    throw new ToolboxError("path_invalid", asked, "The path holds a character that no path can hold.");
  }
  if (asked.length > longestPath)
    throw new ToolboxError("path_invalid", asked, "The path is longer than a path can be.");
  let path = resolve(root.base, asked);
  if (!isInside(root.path, path) && isInside(root.given, path)) path = join(root.base, relative(root.given, path));
  // A Windows path is refused on every system, because the model means a place outside.
  if (!isInside(root.path, path) || (sep === "/" && windowsPath.test(asked)))
    throw outside(asked, "is outside the root folder");
  return relative(root.path, path)
    .split(sep)
    .filter((name) => name !== "");
}

const longestPath = 4096;
const linkProblem = "goes through a link that leads out of the root folder or to nothing";
const windowsPath = /^[A-Za-z]:[\\/]|^\\\\|^\.\.\\/;

async function follow(root: Root, path: string, asked: string, reach: Reach): Promise<Followed> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (!stats.isSymbolicLink()) {
      await reach.check(path, stats, path, asked);
      return { real: path, kind: kindOf(stats) };
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { real: path, kind: "missing" };
    throw fromSystem(error, asked);
  }
  try {
    const real = await realpath(path);
    // One message for all cases, so that it does not reveal whether something exists outside.
    if (!isInside(root.path, real)) throw outside(asked, linkProblem);
    const stats = await lstat(real, { bigint: true });
    await reach.check(real, stats, real, asked);
    return { real, kind: kindOf(stats) };
  } catch (error) {
    if (error instanceof ToolboxError) throw error;
    throw outside(asked, linkProblem);
  }
}

function kindOf(stats: BigIntStats): ConfinedPath["kind"] {
  if (stats.isFile()) return "file";
  return stats.isDirectory() ? "folder" : "other";
}

function outside(asked: string, how: string): ToolboxError {
  const hint = 'Use a path inside it, such as "notes.md"; "." is the root folder itself.';
  return new ToolboxError("path_outside_root", asked, `"${asked}" ${how}. ${hint}`);
}
