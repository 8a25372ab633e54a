/** What stood at a path. Devices, pipes and sockets are not looked at. */
export interface Seen {
  kind: "file" | "link" | "folder";
  /** Of a file or a link: it differs after every change of the content, except within `settling` of the last one. */
  stamp: string;
  size: number;
  /** Its permission bits. */
  mode: number;
  /** When the file or its name was last changed, in milliseconds. No program can set it. */
  changed: number;
  modified: number;
  ino: number;
  dev: number;
  /** Its mode with the bits of its kind. */
  bits: number;
}

/** What stood below the base of a root at one time. Paths are relative to the base, with `/` between names. */
export interface SeenTree {
  /** When the look began, in milliseconds. */
  at: number;
  /** What git does not ignore; a folder comes before what is in it. */
  entries: ReadonlyMap<string, Seen>;
  /** Files that git ignores, where nothing or only the file itself is ignored, or where files that run later may stand. */
  ignored: ReadonlyMap<string, Seen>;
  /** Hooks and settings of git, as they are shown: absolute if they are outside of the base. */
  git: ReadonlyMap<string, Seen>;
  /** Folders that git ignores, folders of packages and caches, and what could not be read. They were not entered. */
  closed: readonly string[];
  /** False if there is more: the tree has too many entries, or looking took too long. */
  isWhole: boolean;
}

/** Milliseconds in which a file system may give two changes the same time. */
export const settling = 100;
/** The same for one that counts in seconds, or in two of them. */
const coarseSettling = 2100;

/** Whether an equal stamp later means an equal content: the last change was not just before the look. */
export function isSettled({ changed }: Seen, at: number): boolean {
  return changed + (changed % 1000 === 0 ? coarseSettling : settling) < at;
}
