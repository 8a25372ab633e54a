import { join, relative } from "node:path";
import { confinePath } from "./confined-path.ts";
import type { Root } from "./root.ts";
import { unlessRefused } from "./unless-refused.ts";

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
