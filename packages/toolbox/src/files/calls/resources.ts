import { dirname } from "node:path";
import { meantPath } from "../confine/existing-path.ts";
import type { Root } from "../confine/root.ts";

// The executor runs calls that share a key in call order, except that calls of read-only tools run side by side.
// There are three kinds of keys:
//   file:    one file
//   folder:  the entries of a folder and of all folders below it; a write holds the keys of all folders above its file
//   tree:    held by a call that reads something below the folder, and by a call that may change anything below it
// A refused path throws here, so that no person is asked to approve the call.

/** The keys of a call that reads a file. */
export async function fileKeys(root: Root, path: string): Promise<string[]> {
  const { real } = await meantPath(root, path);
  return [`file:${real}`, ...above(root, real, "tree")];
}

/** The keys of a call that reads a folder, or everything below it. */
export async function folderKeys(root: Root, path: string): Promise<string[]> {
  const { real } = await meantPath(root, path);
  return [`folder:${real}`, `tree:${real}`, ...above(root, real, "tree")];
}

/** The keys of a call that writes the file with this real path: the file, and the folders from its own up to the root. */
export function writeKeys(root: Root, real: string): string[] {
  return [`file:${real}`, ...above(root, real, "folder")];
}

/** The keys of a call that may change every file below the folder with this real path. */
export function treeKeys(root: Root, real: string): string[] {
  return [`tree:${real}`, `folder:${real}`, ...above(root, real, "folder")];
}

function above(root: Root, real: string, kind: "folder" | "tree"): string[] {
  const keys: string[] = [];
  for (let inner = real; inner !== root.path; ) {
    inner = dirname(inner);
    keys.push(`${kind}:${inner}`);
  }
  return keys;
}
