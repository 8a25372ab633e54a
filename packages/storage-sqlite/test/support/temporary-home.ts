import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Where Linux keeps files in memory. */
const memoryFolder = "/dev/shm";

/** Bytes. A container often has only 64 MiB there, which the larger stores may fill. */
const room = 2 ** 30;

/**
 * The folder for the stores of tests: in memory if there is room, because a delete waits for the disk several times, and
 * the stores need not outlive the machine. `pnpm soak` kills, damages and cuts off stores on a disk.
 */
export const temporaryHome = freeBytes(memoryFolder) >= room ? memoryFolder : tmpdir();

/** 0 where there is no such folder. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
