import { closeSync, existsSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { flush } from "../../database/flush.ts";

/**
 * Keeps a copy of a database as it is, beside it, under the name that its schema version gives: `<file>.schema-1`, or
 * `<file>.schema-1.2` if that is there already, and so on. The caller holds the write lock, so that there is one who does
 * it and nothing changes meanwhile.
 *
 * @returns the path of the copy, which is complete and on the disk
 */
export function keepCopy(file: string, version: number): string {
  const unfinished = `${file}.schema-${version}.part`;
  // Left by a process that was killed: whoever has the write lock is the only one who uses the name.
  rmSync(unfinished, { force: true });
  // SQLite takes an empty file for one that it may write to, and it would make its own readable by everyone.
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
