import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Where Linux keeps files in memory. A container often has only 64 MiB there. */
const memoryFolder = "/dev/shm";

/** The folder for files of tests that need not outlive the machine: in memory if so many bytes are free there. */
export function homeInMemory(room: number): string {
  return freeBytes(memoryFolder) >= room ? memoryFolder : tmpdir();
}

/** 0 where there is no such folder. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
