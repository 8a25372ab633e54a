import { join, relative } from "node:path";
import { nearestNames } from "@cogency/protocol/options";
import { ToolboxError } from "../../errors.ts";
import { withFolder } from "./confined-folder.ts";
import { type ConfinedPath, confinePath } from "./confined-path.ts";
import { pathInRoot, type Root } from "./root.ts";
import { escapedName, twinName } from "./twin-name.ts";
import { unlessRefused } from "./unless-refused.ts";

/**
 * Resolves a path. If nothing is there, but one file or folder whose name differs only in what nobody sees, see `twinName`, it is
 * meant.
 *
 * @throws ToolboxError what `resolve` throws
 */
export async function meantPath(root: Root, asked: string, resolve = confinePath): Promise<ConfinedPath> {
  let path = await resolve(root, asked);
  while (path.missing.length > 0) {
    const [wanted = "", ...below] = path.missing;
    const folder = join(path.real, ...path.missing.map(() => ".."));
    const twin = twinName(wanted, await namesIn(root, folder));
    if (twin === undefined || twin === wanted) break;
    path = { ...(await resolve(root, join(folder, twin, ...below))), asked };
  }
  return path;
}

async function namesIn(root: Root, folder: string): Promise<string[]> {
  const listed = withFolder(root, folder, async (open) => (await open.entries()).map((entry) => entry.name));
  return (await unlessRefused(listed)) ?? [];
}

/** @throws ToolboxError what `resolve` throws, `not_found`, `not_a_file` */
export async function existingFile(root: Root, asked: string, resolve = confinePath): Promise<ConfinedPath> {
  const path = await meantPath(root, asked, resolve);
  if (path.kind === "missing") throw await notFound(root, path);
  if (path.kind === "folder") {
    throw new ToolboxError("not_a_file", asked, `"${asked}" is a folder. Use list to see what is in it.`);
  }
  if (path.kind === "other") throw notRegular(asked);
  return path;
}

/** @throws ToolboxError what `resolve` throws, `not_found`, `not_a_folder` */
export async function existingFolder(root: Root, asked: string, resolve = confinePath): Promise<ConfinedPath> {
  const path = await meantPath(root, asked, resolve);
  if (path.kind === "missing") throw await notFound(root, path);
  if (path.kind === "folder") return path;
  throw new ToolboxError("not_a_folder", asked, `"${asked}" is not a folder. Give the folder that it is in.`);
}

export function notRegular(asked: string): ToolboxError {
  return new ToolboxError("not_a_file", asked, `"${asked}" is not a regular file: it is a device, a pipe or a socket.`);
}

/** The error names the first missing name on the path, and similar names in its folder. */
async function notFound(root: Root, path: ConfinedPath): Promise<ToolboxError> {
  const folder = join(path.real, ...path.missing.map(() => ".."));
  const [wanted = path.asked] = path.missing;
  const near = nearestNames(wanted, await namesIn(root, folder)).map((name) => pathInRoot(root, join(folder, name)));
  const shown = near.map((name) => `"${escapedName(name)}"`);
  const hint = near.length > 0 ? `Did you mean ${shown.join(" or ")}?` : "List that folder to see what is there.";
  const isEscaped = near.some((name) => escapedName(name) !== name);
  const escapes = isEscaped
    ? " \\u stands for a character that looks like another one: give that character itself."
    : "";
  const where = folder === root.base ? "the root folder" : `"${pathInRoot(root, folder)}"`;
  const problem = `"${path.asked}" does not exist: there is no "${wanted}" in ${where}.`;
  return new ToolboxError("not_found", path.asked, `${problem} ${hint}${escapes}`);
}

/**
 * The path of the file that a glob names if it is read as a path, relative to the folder. Undefined for a glob without special
 * characters, and if there is no such file.
 */
export async function literalFile(root: Root, folder: string, glob: string | undefined): Promise<string | undefined> {
  if (glob === undefined || !/[[\]{}*?]/.test(glob)) return undefined;
  const path = await unlessRefused(confinePath(root, join(folder, glob)));
  if (path?.kind !== "file" || path.real !== join(folder, glob)) return undefined;
  return relative(folder, path.real);
}
