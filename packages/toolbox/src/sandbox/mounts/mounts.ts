import { dirname } from "node:path";
import { isInside } from "../../files/confine/root.ts";

/** How a command sees a path. If a path is added twice, the stricter one wins: the later in `visibilityOrder`. */
type Visibility = (typeof visibilityOrder)[number];

const visibilityOrder = ["writable", "readOnly", "coveredFile", "coveredFolder"] as const;

/** The mounts of one command, over the system's own folders. */
export interface Mounts {
  add(path: string, visibility: Visibility): void;
  paths(): string[];
  isWritable(path: string): boolean;
  /** Paths of the files and folders that the command cannot see. */
  covered(): string[];
  /**
   * Makes every folder between `root` and a mount below it a mount of its own. A mount point cannot be renamed or removed, but
   * a folder that only contains one can: a command could move it and create another in its place. Adds no mount in the
   * folders of `except`.
   */
  pinBelow(root: string, except: readonly string[]): void;
  /** Arguments of bubblewrap. */
  args(): string[];
}

export function createMounts(): Mounts {
  const visibilities = new Map<string, Visibility>();
  const add = (path: string, visibility: Visibility) => {
    const before = visibilities.get(path);
    if (before === undefined || visibilityOrder.indexOf(visibility) > visibilityOrder.indexOf(before))
      visibilities.set(path, visibility);
  };
  /** Of the nearest mount at or above the path. */
  const visibilityOf = (path: string): Visibility | undefined => {
    const visibility = visibilities.get(path);
    return visibility ?? (path === "/" ? undefined : visibilityOf(dirname(path)));
  };
  return {
    add,
    paths: () => [...visibilities.keys()],
    covered: () => [...visibilities].filter(([, visibility]) => visibility.startsWith("covered")).map(([path]) => path),
    isWritable: (path) => visibilities.get(path) === "writable",
    pinBelow(root, except) {
      for (const path of [...visibilities.keys()].filter((path) => path !== root && isInside(root, path))) {
        for (const folder of foldersBetween(root, path)) {
          const isOwn = except.some((own) => isInside(own, folder));
          // A command can move nothing in a read-only or covered folder.
          if (isOwn || (visibilityOf(folder) ?? "writable") !== "writable") break;
          add(folder, "writable");
        }
      }
    },
    args() {
      const covered = [...visibilities]
        .filter(([, visibility]) => visibility === "coveredFolder")
        .map(([path]) => path);
      const isSeen = (path: string) => !covered.some((folder) => path !== folder && isInside(folder, path));
      // A parent must be mounted before its children, or it would hide them.
      const inOrder = [...visibilities.keys()].filter(isSeen).sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
      return inOrder
        .filter((path) => path !== "/")
        .flatMap((path) => mountArguments[visibilities.get(path) ?? "coveredFile"](path));
    },
  };
}

const mountArguments: Record<Visibility, (path: string) => string[]> = {
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
