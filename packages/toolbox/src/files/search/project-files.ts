import { withFolder } from "../confine/confined-folder.ts";
import type { Root } from "../confine/root.ts";
import { rulesAbove } from "./ignore-rules.ts";
import { walkFiles } from "./walk-files.ts";

/**
 * The files below the folder of a root that `find` would find, in the order of their paths: without those that git ignores. Paths are
 * relative to the folder, with `/` between names. The folder may change meanwhile.
 *
 * @throws the reason of the signal when it aborts; ToolboxError for a folder that cannot be read
 */
export async function projectFiles(
  root: Root,
  signal: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const rules = await rulesAbove(root, root.base);
  return withFolder(root, root.base, async (folder) => {
    const files: string[] = [];
    for await (const walked of walkFiles(folder, { rules, signal })) {
      if (walked.kind === "file") files.push(walked.path);
      if (files.length >= most) break;
    }
    return files;
  });
}
