import { dirname } from "node:path";
import { confinePath } from "./confined-path.ts";
import type { Root } from "./root.ts";

// The executor runs calls that share a key in call order, those of read-only tools side by side. A write therefore
// also holds every folder above its file: a list or a find of any of them, before or after, is ordered with it.
// A path that is refused throws already here, so that nobody is asked to approve the call.

/** What reading a file touches. */
export async function fileKeys(root: Root, path: string): Promise<string[]> {
  return [`file:${(await confinePath(root, path)).real}`];
}

/** What looking into a folder, or into everything below it, touches. */
export async function folderKeys(root: Root, path: string): Promise<string[]> {
  return [`folder:${(await confinePath(root, path)).real}`];
}

/** What writing a file touches: the file and the folders from its own up to the root. */
export async function writeKeys(root: Root, path: string): Promise<string[]> {
  const { real } = await confinePath(root, path);
  const keys = [`file:${real}`];
  for (let inner = real; inner !== root.path; ) {
    inner = dirname(inner);
    keys.push(`folder:${inner}`);
  }
  return keys;
}
