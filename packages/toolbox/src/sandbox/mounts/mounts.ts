import { dirname } from "node:path";
import { isInside } from "../../files/confine/root.ts";

/** How a command sees a path: as it is, unchangeable, or not at all. The later of these wins. */
type Sight = (typeof sightOrder)[number];

const sightOrder = ["writable", "readOnly", "coveredFile", "coveredFolder"] as const;

/** The mounts of one command, over the system's own folders. */
export interface Mounts {
  add(path: string, sight: Sight): void;
  paths(): string[];
  isWritable(path: string): boolean;
  /** Paths of the files and folders of which nothing is seen. */
  covered(): string[];
  /**
   * Makes a mount of every folder between `root` and what is mounted below it: a folder on which something is mounted can
   * be neither renamed nor removed, one that holds a mount can. A command could move it away and make another one there.
   * Nothing is mounted in the folders of `except`.
   */
  pinBelow(root: string, except: readonly string[]): void;
  /** Arguments of bubblewrap. */
  args(): string[];
}

export function createMounts(): Mounts {
  const sights = new Map<string, Sight>();
  const add = (path: string, sight: Sight) => {
    const before = sights.get(path);
    if (before === undefined || sightOrder.indexOf(sight) > sightOrder.indexOf(before)) sights.set(path, sight);
  };
  /** Of the nearest mount at or above a path. */
  const sightOf = (path: string): Sight | undefined => {
    const sight = sights.get(path);
    return sight ?? (path === "/" ? undefined : sightOf(dirname(path)));
  };
  return {
    add,
    paths: () => [...sights.keys()],
    covered: () => [...sights].filter(([, sight]) => sight.startsWith("covered")).map(([path]) => path),
    isWritable: (path) => sights.get(path) === "writable",
    pinBelow(root, except) {
      for (const path of [...sights.keys()].filter((path) => path !== root && isInside(root, path))) {
        for (const folder of foldersBetween(root, path)) {
          const isOwn = except.some((own) => isInside(own, folder));
          // In what is read-only or covered nothing can be moved.
          if (isOwn || (sightOf(folder) ?? "writable") !== "writable") break;
          add(folder, "writable");
        }
      }
    },
    args() {
      const covered = [...sights].filter(([, sight]) => sight === "coveredFolder").map(([path]) => path);
      const isSeen = (path: string) => !covered.some((folder) => path !== folder && isInside(folder, path));
      // What is above has to be mounted first, or it would hide what is below.
      const inOrder = [...sights.keys()].filter(isSeen).sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
      return inOrder
        .filter((path) => path !== "/")
        .flatMap((path) => mountArguments[sights.get(path) ?? "coveredFile"](path));
    },
  };
}

const mountArguments: Record<Sight, (path: string) => string[]> = {
  writable: (path) => ["--bind", path, path],
  readOnly: (path) => ["--ro-bind", path, path],
  coveredFile: (path) => ["--ro-bind", "/dev/null", path],
  coveredFolder: (path) => ["--perms", "0555", "--tmpfs", path, "--remount-ro", path],
};

/** The folders between a folder and a path in it, outermost first. */
function foldersBetween(folder: string, path: string): string[] {
  const above = dirname(path);
  return above === folder ? [] : [...foldersBetween(folder, above), above];
}

function depth(path: string): number {
  return path.split("/").length;
}
