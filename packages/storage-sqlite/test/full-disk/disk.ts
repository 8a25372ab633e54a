import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A disk that a test can fill and empty. */
export interface Disk {
  folder: string;
  /** Leaves this many bytes of free space. */
  fill(room?: number): void;
  makeRoom(): void;
  /** The codes of a StoreError that may stand for a full disk. */
  codes: RegExp;
}

/** A small file system, mounted at `folder`, that a file fills. */
export function smallDisk(folder: string): Disk {
  const filler = join(folder, "filler");
  const makeRoom = () => rmSync(filler, { force: true });
  return {
    folder,
    fill(room = 0) {
      makeRoom();
      const file = openSync(filler, "w");
      const page = Buffer.alloc(4096);
      let size = 0;
      try {
        for (;;) size += writeSync(file, page);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
      spawnSync("truncate", ["--size", String(Math.max(0, size - room)), filler]);
    },
    makeRoom,
    codes: /^full$/,
  };
}

/**
 * A limit on the size of files (RLIMIT_FSIZE), for machines without the right to mount. SQLite reports it as an I/O
 * error.
 */
export function limitedDisk(folder: string): Disk {
  const limit = (size: number | "unlimited") => {
    const { status, stderr } = spawnSync("prlimit", ["--pid", String(process.pid), `--fsize=${size}:`]);
    if (status !== 0) throw new Error(`prlimit cannot set the limit: ${stderr}`);
  };
  return { folder, fill: (room = 0) => limit(room), makeRoom: () => limit("unlimited"), codes: /^(full|unavailable)$/ };
}
