import { statfsSync } from "node:fs";

/**
 * Whether a folder on the file system of this path gets a new time with each name that comes or goes. Local file systems of Linux
 * do that; of others, such as those of a network, it is not assumed, and their folders are read at every look.
 */
export function hasFolderTimes(path: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    return localFileSystems.has(statfsSync(path).type);
  } catch {
    return false;
  }
}

/** ext2 to ext4, XFS, Btrfs, F2FS, Bcachefs, ZFS, tmpfs, and overlayfs on them. */
const localFileSystems = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0xca451a4e, 0x2fc12fc1, 0x01021994, 0x794c7630,
]);
