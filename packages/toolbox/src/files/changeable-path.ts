import { relative, sep } from "node:path";
import { ToolboxError } from "../errors.ts";
import { type ConfinedPath, confinePath } from "./confined-path.ts";
import { isGit } from "./git-folder.ts";
import type { Root } from "./root.ts";

/**
 * Resolves the path of something that is to be changed, as `confinePath` does, and refuses `.git` and what is in it, in
 * any spelling that a system takes for it: the settings and hooks of a repository name programs that git then runs.
 *
 * @throws ToolboxError `permission_denied`, and what `confinePath` throws
 */
export async function changeablePath(root: Root, asked: string): Promise<ConfinedPath> {
  const path = await confinePath(root, asked);
  if (!relative(root.path, path.real).split(sep).some(isGit)) return path;
  const reason = "whose settings and hooks make git run programs";
  const message = `"${asked}" is in a .git folder, ${reason}: it can be read but not changed.`;
  throw new ToolboxError("permission_denied", asked, message);
}
