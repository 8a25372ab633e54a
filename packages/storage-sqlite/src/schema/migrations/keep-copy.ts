import { closeSync, existsSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { flush } from "../../database/flush.ts";

/**
 * Copies a database, beside it, as `<file>.schema-<version>`, or as `<file>.schema-<version>.2` and so on if that
 * exists. The caller must hold the write lock, so that only one process copies and nothing changes meanwhile.
 *
 * @returns the path of the copy, which is complete and flushed to the disk
 */
export function keepCopy(file: string, version: number): string {
  const unfinished = `${file}.schema-${version}.part`;
  // A killed process may have left it. Only the holder of the write lock uses this name.
  rmSync(unfinished, { force: true });
  // Created here with mode 0600: SQLite writes into an empty file, but would create its own readable by everyone.
  closeSync(openSync(unfinished, "wx", 0o600));
  try {
    const source = new DatabaseSync(file, { readOnly: true });
    try {
      source.prepare("VACUUM INTO ?").run(unfinished);
    } finally {
      source.close();
    }
    flush(unfinished);
    const copy = freeName(`${file}.schema-${version}`);
    linkSync(unfinished, copy);
    return copy;
  } finally {
    rmSync(unfinished, { force: true });
    flush(dirname(file));
  }
}

function freeName(name: string): string {
  for (let count = 1; ; count++) {
    const numbered = count === 1 ? name : `${name}.${count}`;
    if (!existsSync(numbered)) return numbered;
  }
}
