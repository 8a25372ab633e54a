import { basename, dirname, join } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { type ConfinedPath, confinePath } from "./confined-path.ts";
import { refuseGitFolder } from "./git-folder.ts";
import { refuseConfiguration } from "./obeyed-names.ts";
import { pathInRoot, type Root } from "./root.ts";

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

/**
 * Checks a real path to change as `changeablePath` does, without following a link that stands there.
 *
 * @returns whether the folder that it is in exists; a file may stand in its place
 * @throws ToolboxError as `changeablePath`, and `path_changed` if a link stands above it
 */
export async function checkChangeable(root: Root, real: string): Promise<boolean> {
  const shown = pathInRoot(root, real);
  const folder = await confinePath(root, dirname(real)).catch((error: unknown) => {
    if (error instanceof ToolboxError && error.code === "not_a_folder") return undefined;
    throw error;
  });
  if (folder !== undefined && join(folder.real, basename(real)) !== real) {
    throw new ToolboxError("path_changed", shown, "its path leads through a link now.");
  }
  await refuseObeyed(root, real);
  return folder?.kind === "folder";
}

/**
 * Refuses what is guarded, the configuration of the program and what git obeys, by the names on a real path.
 *
 * @throws ToolboxError `out_of_reach`, `permission_denied`
 */
export async function refuseObeyed(root: Root, real: string): Promise<void> {
  const shown = pathInRoot(root, real);
  (await root.guard.now()).checkName(real, shown);
  refuseConfiguration(root, real, shown);
  await refuseGitFolder(root, { real, asked: shown });
}
