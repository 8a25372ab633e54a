import { basename, dirname } from "node:path";
import { withFolder } from "../confine/confined-folder.ts";
import type { ConfinedPath } from "../confine/confined-path.ts";
import type { Root } from "../confine/root.ts";
import { unlessRefused } from "../confine/unless-refused.ts";

/** Removes the folders that were created for a file that was not written, unless they are no longer empty. */
export async function removeMadeFolders(root: Root, { real, missing }: ConfinedPath): Promise<void> {
  let made = dirname(real);
  for (const _ of missing.slice(1)) {
    const [above, name] = [dirname(made), basename(made)];
    await unlessRefused(withFolder(root, above, (folder) => folder.removeFolder(name)));
    made = above;
  }
}
