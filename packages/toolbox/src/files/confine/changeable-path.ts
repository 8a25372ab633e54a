import { type ConfinedPath, confinePath } from "./confined-path.ts";
import { refuseGitFolder } from "./git-folder.ts";
import { refuseConfiguration } from "./obeyed-names.ts";
import type { Root } from "./root.ts";

/**
 * Resolves a path to change, as `confinePath` does, and refuses files that git takes its settings from, see
 * `refuseGitFolder`, and the configuration of the program.
 *
 * @throws ToolboxError `permission_denied`, and what `confinePath` throws
 */
export async function changeablePath(root: Root, asked: string): Promise<ConfinedPath> {
  const path = await confinePath(root, asked);
  refuseConfiguration(root, path.real, path.asked);
  await refuseGitFolder(root, path);
  return path;
}
