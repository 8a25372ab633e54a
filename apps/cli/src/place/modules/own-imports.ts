import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { FileError, readRegularFile } from "../../base/files/read-regular-file.ts";

/** A file of a module: its real path, and what it holds. */
export interface OwnFile {
  readonly real: string;
  readonly bytes: Uint8Array;
}

/** Files that one module may have beside it. */
const mostFiles = 500;

/**
 * Reads the files that a module names by relative paths in `import` and `require`, and those that they name, each once, in a fixed order.
 * A path that is put together while the module runs is not seen, and neither are packages.
 *
 * @param most bytes of all files together; what is beyond it, or beyond 500 files, is not read
 */
export function ownImports(entry: OwnFile, most: number): OwnFile[] {
  const known = new Set([entry.real]);
  const found: OwnFile[] = [];
  let left = most - entry.bytes.length;
  for (const queue = [entry]; queue.length > 0; ) {
    const { real, bytes } = queue.shift() as OwnFile;
    for (const path of pathsIn(bytes)) {
      const file = left > 0 && found.length < mostFiles ? fileAt(resolve(dirname(real), path), left) : undefined;
      if (!file || known.has(file.real)) continue;
      known.add(file.real);
      left -= file.bytes.length;
      found.push(file);
      queue.push(file);
    }
  }
  return found.sort((one, other) => (one.real < other.real ? -1 : 1));
}

const named = /(?:\bfrom|\bimport|\brequire)\s{0,20}\(?\s{0,20}(["'`])(\.{1,2}\/[^"'`\n]{1,500})\1/g;

function pathsIn(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString("utf8");
  return Array.from(text.matchAll(named), ([, , path = ""]) => path.replace(/[?#].*$/, ""));
}

/** As `require` completes a path; `import` takes it as it is. */
const endings = ["", ".js", ".json", ".cjs", ".mjs", ".ts", "/index.js", "/index.cjs"];

function fileAt(path: string, most: number): OwnFile | undefined {
  const file = endings.map((ending) => path + ending).find((one) => existsSync(one) && statSync(one).isFile());
  if (file === undefined) return undefined;
  try {
    return readRegularFile(file, { most });
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
