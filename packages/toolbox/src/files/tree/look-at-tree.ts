import { constants, type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { openConfined } from "../confine/confined-folder.ts";
import { isGit, namedGitFolders } from "../confine/git-folder.ts";
import { looksLikeRepository } from "../confine/git-folders.ts";
import { isInside, pathInRoot, type Root } from "../confine/root.ts";
import { unlessRefused } from "../confine/unless-refused.ts";
import type { Reach } from "../guard/reach.ts";
import { mayHoldLater } from "../run-later/later-names.ts";
import { IgnoreRules, rulesAbove } from "../search/ignore-rules.ts";
import { isLeftOut } from "../search/left-out.ts";
import { hasFolderTimes } from "./folder-times.ts";
import { useVerified } from "./open-verified.ts";
import { isSettled, type Seen, type SeenTree } from "./seen-tree.ts";

/**
 * Looks at everything below the base of a root, without reading a file or following a link. Callers of one moment share the look.
 * What was seen is remembered, so that a look at a tree that did not change costs little more than the system's own, and gives the
 * same maps as the one before.
 */
export function lookAtTree(root: Root): Promise<SeenTree> {
  const looks = looksAt.get(root) ?? { last: Promise.resolve(), memory: noMemory };
  looksAt.set(root, looks);
  // What is remembered is for one look at a time.
  looks.next ??= looks.last.then(async () => {
    // Who comes from now on has to see what is there from now on.
    looks.next = undefined;
    const look = new Look(root, looks.memory).all();
    looks.last = look.then(
      (memory) => {
        looks.memory = memory;
      },
      () => {},
    );
    return (await look).tree;
  });
  return looks.next;
}

/** What stands at a path. Undefined if it cannot be looked at, such as a name that is not UTF-8. */
export function seenAt(at: string, known?: Seen): Seen | "other" | "gone" | undefined {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(at, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
  if (stats === undefined) return at.includes("\ufffd") ? undefined : "gone";
  const { size, mode, ino, dev, mtimeMs: modified, ctimeMs: changed } = stats;
  if (
    known !== undefined &&
    known.changed === changed &&
    known.modified === modified &&
    known.size === size &&
    known.ino === ino &&
    known.dev === dev &&
    known.bits === mode
  ) {
    return known;
  }
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : undefined;
  if (kind === undefined) return "other";
  const stamp = kind === "folder" ? "" : `${size} ${modified} ${changed} ${ino}`;
  return { kind, stamp, size, mode: mode & 0o777, modified, changed, ino, dev, bits: mode };
}

/** The most entries that are looked at. */
const mostEntries = 50_000;
/** Milliseconds, for a tree on a slow network. */
const longest = 10_000;
/** The most files that are looked at in ignored folders of settings, such as `.vscode`. */
const mostInIgnored = 500;
/** Milliseconds without a pause for other work. */
const longestTurn = 10;

const looksAt = new WeakMap<Root, { last: Promise<void>; next?: Promise<SeenTree> | undefined; memory: Memory }>();

/** What a look leaves for the next one. */
interface Memory {
  tree: SeenTree;
  folders: ReadonlyMap<string, Folder>;
}

const nothing = new Map<string, never>();
const noMemory: Memory = {
  tree: { at: 0, entries: nothing, ignored: nothing, git: nothing, closed: [], isWhole: false },
  folders: nothing,
};

/** A folder with what it holds, as it was seen last. */
interface Folder {
  /** Of the rules of git that apply in it. */
  stamps: string;
  rules: IgnoreRules;
  children: readonly Child[];
  /** The folder itself before its names were read, if its times say when they change, and when that was. */
  seen?: Seen | undefined;
  at: number;
}

interface Child {
  name: string;
  /** The real path, and the path below the base. */
  at: string;
  path: string;
  isFolder: boolean;
  /** `kept`: git does not ignore it. `closed`: a folder that is not looked into. `hidden`: guarded, or of git. */
  as: "kept" | "ignored" | "closed" | "hidden";
  /** Absent if nothing can be said of it. */
  seen?: Seen | undefined;
  isUnreadable?: boolean;
}

class Look {
  readonly #root: Root;
  readonly #at = Date.now();
  readonly #before: Memory;
  readonly #folders = new Map<string, Folder>();
  readonly #git = new Map<string, Seen>();
  readonly #closed: string[] = [];
  readonly #inIgnored = new Map<string, Seen>();
  readonly #ends = performance.now() + longest;
  #turnEnds = 0;
  #count = 0;
  #isChanged = false;
  #isWhole = true;
  #reach: Reach | undefined;
  /** On which the times of folders can be relied on. */
  #device: number | undefined;

  constructor(root: Root, before: Memory) {
    this.#root = root;
    this.#before = before;
  }

  async all(): Promise<Memory> {
    const { base, path } = this.#root;
    const reach = await this.#root.guard.now();
    // Most roots hold nothing guarded, and then no name is compared.
    this.#reach = reach.hidesBelow(base) ? reach : undefined;
    const stamps = ruleStamps(path, base);
    const known = this.#before.folders.get("");
    const isKnown = known?.stamps === stamps;
    const rules = isKnown
      ? known.rules
      : ((await unlessRefused(rulesAbove(this.#root, base))) ?? new IgnoreRules(base));
    this.#folders.set("", { stamps, rules, children: [], at: this.#at });
    this.#turnEnds = performance.now() + longestTurn;
    const top = seenAt(base, this.#before.folders.get(".")?.seen);
    if (typeof top === "object" && hasFolderTimes(base)) this.#device = top.dev;
    await this.#enter(base, "", typeof top === "object" ? top : undefined, { stamps, rules });
    return { folders: this.#folders, tree: this.#tree() };
  }

  /** The maps of the look before if nothing has changed, so that who compares them sees that at once. */
  #tree(): SeenTree {
    const { tree } = this.#before;
    const isSame = !this.#isChanged && this.#isWhole && tree.isWhole && isEqual(tree.closed, this.#closed);
    const entries = new Map<string, Seen>();
    const ignored = new Map<string, Seen>();
    if (!isSame) {
      for (const { children } of this.#folders.values()) {
        for (const { as, path, seen } of children) {
          if (seen !== undefined) (as === "kept" ? entries : ignored).set(path, seen);
        }
      }
    }
    for (const [path, seen] of this.#inIgnored) ignored.set(path, seen);
    return {
      at: this.#at,
      entries: isSame ? tree.entries : entries,
      ignored: isSame && hasEach(tree.ignored, this.#inIgnored) ? tree.ignored : ignored,
      git: hasEach(tree.git, this.#git, true) ? tree.git : this.#git,
      closed: this.#closed,
      isWhole: this.#isWhole,
    };
  }

  async #enter(real: string, path: string, seen: Seen | undefined, outer: Outer): Promise<void> {
    const folder = this.#unchanged(path, seen, outer) ?? (await this.#listed(real, path, seen, outer));
    if (folder === undefined) {
      this.#closed.push(path || ".");
      return;
    }
    this.#folders.set(keyOf(path), folder);
    if (folder.children.some(({ name }) => name === ".git")) await this.#lookAtGit(real);
    for (const child of folder.children) {
      this.#count += 1;
      if (performance.now() > this.#turnEnds) await this.#pause();
      if (this.#isFull()) return;
      if (child.as === "closed") this.#close(child);
      else if (child.as !== "hidden") this.#see(child);
    }
    for (const { as, name, path, seen } of folder.children) {
      if (as !== "kept" || seen?.kind !== "folder") continue;
      if (this.#isFull()) return;
      await this.#enter(`${real}/${name}`, path, seen, folder);
    }
  }

  async #pause(): Promise<void> {
    await setImmediate();
    this.#turnEnds = performance.now() + longestTurn;
  }

  #list(real: string): Dirent[] | undefined {
    return useVerified(this.#root, real, constants.O_DIRECTORY, (descriptor) => {
      const held = this.#root.anchor === "descriptor" ? `/proc/self/fd/${descriptor}` : real;
      return readdirSync(held, { withFileTypes: true });
    });
  }

  #isFull(): boolean {
    if (this.#count <= mostEntries && performance.now() < this.#ends) return false;
    this.#isWhole = false;
    return true;
  }

  #see(child: Child): void {
    const seen = seenAt(child.at, child.seen);
    const now = typeof seen === "object" ? seen : undefined;
    if (now !== child.seen) this.#isChanged = true;
    child.seen = now;
    if (seen === undefined) this.#closed.push(child.path);
  }

  #close({ at, path }: Child): void {
    this.#closed.push(path);
    if (mayHoldLater(path)) this.#lookIntoIgnored(at, path);
  }

  /** The folder as it was at the look before, if its time and the rules of git say that nothing came or went. */
  #unchanged(path: string, seen: Seen | undefined, outer: Outer): Folder | undefined {
    const known = this.#before.folders.get(keyOf(path));
    if (known === undefined || seen === undefined || known.seen !== seen || seen.dev !== this.#device) return undefined;
    if (!isSettled(seen, known.at)) return undefined;
    const stamps = stampsIn(path, known.children, this.#root.base, outer);
    return stamps === known.stamps ? known : undefined;
  }

  /** Undefined if it cannot be read. A repository's own files are not files of the project, whatever its folder is called. */
  async #listed(real: string, path: string, seen: Seen | undefined, outer: Outer): Promise<Folder | undefined> {
    const listed = this.#list(real);
    if (listed === undefined) return undefined;
    if (path !== "" && looksLikeRepository(new Set(listed.map(({ name }) => name)))) return undefined;
    const known = this.#before.folders.get(keyOf(path));
    const stamps = stampsIn(path, listed, this.#root.base, outer);
    const isSameRules = known?.stamps === stamps;
    if (isSameRules && isListed(known.children, listed)) return { ...known, seen, at: this.#at };
    this.#isChanged = true;
    const entering = stamps === outer.stamps || isSameRules ? undefined : this.#rulesIn(real, listed, outer.rules);
    const rules = isSameRules ? known.rules : ((await entering) ?? outer.rules);
    const old = new Map(known?.children.map((child) => [child.name, child]));
    const children = listed.map((entry) => this.#child(entry, real, path, rules, old.get(entry.name)));
    return { stamps, rules, children: children.sort((a, b) => (a.name < b.name ? -1 : 1)), seen, at: this.#at };
  }

  #child(entry: Dirent, real: string, path: string, rules: IgnoreRules, old: Child | undefined): Child {
    const { name } = entry;
    const isFolder = entry.isDirectory();
    const child = { name, at: `${real}/${name}`, path: path === "" ? name : `${path}/${name}`, isFolder };
    if (isGit(name) || this.#reach?.hides(child.at)) return { ...child, as: "hidden" };
    if (isLeftOut(entry)) return { ...child, as: "closed" };
    if (!rules.ignores(child.at, isFolder)) return { ...child, as: "kept", seen: old?.seen };
    return { ...child, as: isFolder ? "closed" : "ignored", seen: isFolder ? undefined : old?.seen };
  }

  async #rulesIn(real: string, listed: readonly Dirent[], rules: IgnoreRules): Promise<IgnoreRules | undefined> {
    const folder = await unlessRefused(openConfined(this.#root, real));
    try {
      return folder && (await rules.enter(folder, listed));
    } finally {
      await folder?.close();
    }
  }

  /** Files that run later are looked at in ignored folders too, such as `.vscode`. */
  #lookIntoIgnored(real: string, path: string): void {
    for (const entry of this.#list(real) ?? []) {
      if (this.#inIgnored.size >= mostInIgnored) return;
      const [at, below] = [`${real}/${entry.name}`, `${path}/${entry.name}`];
      if (isLeftOut(entry) || this.#reach?.hides(at)) continue;
      if (entry.isDirectory()) this.#lookIntoIgnored(at, below);
      else {
        const seen = seenAt(at, this.#before.tree.ignored.get(below));
        if (typeof seen === "object") this.#inIgnored.set(below, seen);
      }
    }
  }

  async #lookAtGit(real: string): Promise<void> {
    for (const git of await namedGitFolders(real)) {
      const hooks = namesIn(join(git, "hooks")).filter((name) => !name.endsWith(".sample"));
      for (const file of [...gitFiles, ...hooks.map((name) => `hooks/${name}`)]) {
        const path = pathInRoot(this.#root, join(git, file));
        const seen = seenAt(join(git, file), this.#before.tree.git.get(path));
        if (typeof seen === "object") this.#git.set(path, seen);
      }
    }
  }
}

type Outer = Pick<Folder, "stamps" | "rules">;

function keyOf(path: string): string {
  return path === "" ? "." : path;
}

/** The stamps of the rules that apply in a folder: those of the folders above and its own. */
function stampsIn(path: string, names: readonly { name: string }[], base: string, outer: Outer): string {
  const own = ruleStamp(path === "" ? base : join(base, path), names);
  return own === "" ? outer.stamps : `${outer.stamps}|${own}`;
}

const gitFiles = ["config", "config.worktree", "info/attributes"];

/** Whether a folder holds the same names as before, each a folder or not. */
function isListed(children: readonly Child[], listed: Dirent[]): boolean {
  listed.sort((a, b) => (a.name < b.name ? -1 : 1));
  return (
    children.length === listed.length &&
    children.every(({ name, isFolder }, index) => {
      const entry = listed[index];
      return entry?.name === name && entry.isDirectory() === isFolder;
    })
  );
}

function hasEach(all: ReadonlyMap<string, Seen>, some: ReadonlyMap<string, Seen>, isAll = false): boolean {
  return (!isAll || all.size === some.size) && [...some].every(([path, seen]) => all.get(path) === seen);
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((path, index) => path === others[index]);
}

/** The stamps of the files that hold the rules of git in a folder; empty if there are none. */
function ruleStamp(real: string, names: readonly { name: string }[]): string {
  const has = (name: string) => names.some((entry) => entry.name === name);
  const stampOf = (...path: string[]) => {
    const seen = seenAt(join(real, ...path));
    return typeof seen === "object" ? `${seen.kind} ${seen.stamp}` : "";
  };
  const own = has(".gitignore") ? stampOf(".gitignore") : "";
  return has(".git") ? `${own} top ${stampOf(".git", "info", "exclude")}` : own;
}

/** The stamps of the rules in the folders from `path` down to the one above `base`. */
function ruleStamps(path: string, base: string): string {
  const stamps: string[] = [];
  for (let folder = base; folder !== path && isInside(path, dirname(folder)); folder = dirname(folder)) {
    stamps.push(ruleStamp(dirname(folder), [{ name: ".gitignore" }, { name: ".git" }]));
    if (dirname(folder) === folder) break;
  }
  return stamps.join("|");
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
