import { chmodSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Removes a folder with all that it holds, also folders in it that may not be changed, as caches of packages are. */
export function removeFolder(path: string): void {
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  try {
    remove();
  } catch {
    makeChangeable(path);
    remove();
  }
}

function makeChangeable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeChangeable(join(folder, entry.name));
}
