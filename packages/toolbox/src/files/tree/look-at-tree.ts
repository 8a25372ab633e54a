import { type BigIntStats, constants, type Dirent, lstatSync, readdirSync } from "node:fs";
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
import { useVerified } from "./open-verified.ts";
import type { Seen, SeenTree } from "./seen-tree.ts";

/**
 * Looks at everything below the base of a root, without reading a file or following a link. Callers of one moment share the look,
 * and what the rules of git say of a path is remembered until the rules change, so that a look costs little more than the
 * system's own.
 */
export function lookAtTree(root: Root): Promise<SeenTree> {
  const begun = beginning.get(root);
  if (begun !== undefined) return begun;
  const look = Promise.resolve().then(() => {
    // Who comes from now on has to see what is there from now on.
    beginning.delete(root);
    return new Look(root).all();
  });
  beginning.set(root, look);
  return look;
}

const beginning = new WeakMap<Root, Promise<SeenTree>>();

/** What the rules of git said in a folder, as long as the files of the rules have the same stamps. */
interface Decisions {
  stamps: string;
  rules: IgnoreRules;
  ignored: Map<string, boolean>;
}

const remembered = new WeakMap<Root, Map<string, Decisions>>();

/** The most entries that are looked at. */
export const mostEntries = 50_000;
/** Milliseconds, for a tree on a slow network. */
const longest = 10_000;
/** The most files that are looked at in ignored folders of settings, such as `.vscode`. */
const mostInIgnored = 500;
/** Milliseconds without a pause for other work. */
const longestTurn = 10;

class Look {
  readonly #root: Root;
  readonly #at = Date.now();
  readonly #entries = new Map<string, Seen>();
  readonly #ignored = new Map<string, Seen>();
  readonly #git = new Map<string, Seen>();
  readonly #closed: string[] = [];
  readonly #before: ReadonlyMap<string, Decisions>;
  readonly #decisions = new Map<string, Decisions>();
  readonly #ends = performance.now() + longest;
  #turnEnds = 0;
  #isWhole = true;
  #inIgnored = 0;
  #reach: Reach | undefined;

  constructor(root: Root) {
    this.#root = root;
    this.#before = remembered.get(root) ?? new Map();
  }

  async all(): Promise<SeenTree> {
    const { base } = this.#root;
    const reach = await this.#root.guard.now();
    // Most roots hold nothing guarded, and then no name is compared.
    this.#reach = reach.hidesBelow(base) ? reach : undefined;
    const above = ruleStamps(this.#root.path, base);
    const known = this.#before.get("");
    const rules =
      known?.stamps === above ? known.rules : ((await unlessRefused(rulesAbove(this.#root, base))) ?? noRules(base));
    this.#decisions.set("", { stamps: above, rules, ignored: new Map() });
    this.#turnEnds = performance.now() + longestTurn;
    await this.#enter(base, "", { stamps: above, rules });
    remembered.set(this.#root, this.#decisions);
    return {
      at: this.#at,
      entries: this.#entries,
      ignored: this.#ignored,
      git: this.#git,
      closed: this.#closed,
      isWhole: this.#isWhole,
    };
  }

  async #enter(real: string, path: string, outer: { stamps: string; rules: IgnoreRules }): Promise<void> {
    const listed = this.#list(real);
    if (listed === undefined) {
      this.#closed.push(path || ".");
      return;
    }
    // A repository's own files are not files of the project, whatever its folder is called.
    if (path !== "" && looksLikeRepository(new Set(listed.map(({ name }) => name)))) {
      this.#closed.push(path);
      return;
    }
    if (listed.some(({ name }) => name === ".git")) await this.#lookAtGit(real);
    const decisions = await this.#decide(real, path, listed, outer);
    const folders: [name: string, path: string][] = [];
    for (const entry of listed) {
      if (performance.now() > this.#turnEnds) {
        await setImmediate();
        this.#turnEnds = performance.now() + longestTurn;
      }
      if (this.#isFull()) return;
      const { name } = entry;
      const at = `${real}/${name}`;
      const below = path === "" ? name : `${path}/${name}`;
      if (this.#reach?.hides(at)) continue;
      if (isLeftOut(entry)) {
        if (!isGit(name)) this.#closed.push(below);
        continue;
      }
      const isFolder = entry.isDirectory();
      if (this.#ignores(decisions, at, name, isFolder)) {
        if (!isFolder) this.#see(this.#ignored, at, below);
        else {
          this.#closed.push(below);
          if (mayHoldLater(below)) this.#lookIntoIgnored(at, below);
        }
        continue;
      }
      const seen = this.#see(this.#entries, at, below);
      if (seen?.kind === "folder") folders.push([name, below]);
    }
    for (const [name, below] of folders) {
      if (this.#isFull()) return;
      await this.#enter(`${real}/${name}`, below, decisions);
    }
  }

  #list(real: string): Dirent[] | undefined {
    const listed = useVerified(this.#root, real, constants.O_DIRECTORY, (descriptor) => {
      const held = this.#root.anchor === "descriptor" ? `/proc/self/fd/${descriptor}` : real;
      return readdirSync(held, { withFileTypes: true });
    });
    return listed?.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #isFull(): boolean {
    if (this.#entries.size < mostEntries && performance.now() < this.#ends) return false;
    this.#isWhole = false;
    return true;
  }

  #see(into: Map<string, Seen>, at: string, path: string): Seen | undefined {
    const seen = seenAt(at);
    if (seen === "gone") return undefined;
    if (seen === undefined) this.#closed.push(path);
    else if (seen !== "other") {
      into.set(path, seen);
      return seen;
    }
    return undefined;
  }

  async #decide(real: string, path: string, listed: readonly Dirent[], outer: Pick<Decisions, "stamps" | "rules">) {
    const own = ruleStamp(real, listed);
    const stamps = own === "" ? outer.stamps : `${outer.stamps}|${own}`;
    const key = path === "" ? "." : path;
    let known = this.#before.get(key);
    if (known?.stamps !== stamps) {
      const entering = own === "" ? undefined : this.#rulesIn(real, listed, outer.rules);
      known = { stamps, rules: (await entering) ?? outer.rules, ignored: new Map() };
    }
    this.#decisions.set(key, known);
    return known;
  }

  async #rulesIn(real: string, listed: readonly Dirent[], rules: IgnoreRules): Promise<IgnoreRules | undefined> {
    const folder = await unlessRefused(openConfined(this.#root, real));
    try {
      return folder && (await rules.enter(folder, listed));
    } finally {
      await folder?.close();
    }
  }

  #ignores({ rules, ignored }: Decisions, at: string, name: string, isFolder: boolean): boolean {
    const key = isFolder ? `${name}/` : name;
    let decision = ignored.get(key);
    if (decision === undefined) {
      decision = rules.ignores(at, isFolder);
      ignored.set(key, decision);
    }
    return decision;
  }

  /** Files that run later are looked at in ignored folders too, such as `.vscode`. */
  #lookIntoIgnored(real: string, path: string): void {
    for (const entry of this.#list(real) ?? []) {
      if (this.#inIgnored >= mostInIgnored) return;
      if (isLeftOut(entry) || this.#reach?.hides(`${real}/${entry.name}`)) continue;
      const [at, below] = [`${real}/${entry.name}`, `${path}/${entry.name}`];
      if (entry.isDirectory()) this.#lookIntoIgnored(at, below);
      else {
        this.#inIgnored += 1;
        this.#see(this.#ignored, at, below);
      }
    }
  }

  async #lookAtGit(real: string): Promise<void> {
    for (const git of await namedGitFolders(real)) {
      const hooks = namesIn(join(git, "hooks")).filter((name) => !name.endsWith(".sample"));
      const files = ["config", "config.worktree", "info/attributes", ...hooks.map((name) => `hooks/${name}`)];
      for (const file of files) {
        const at = join(git, file);
        const seen = seenAt(at);
        if (typeof seen === "object") this.#git.set(pathInRoot(this.#root, at), seen);
      }
    }
  }
}

/** Undefined if it cannot be looked at, such as a name that is not UTF-8. */
export function seenAt(at: string): Seen | "other" | "gone" | undefined {
  let stats: BigIntStats | undefined;
  try {
    stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
  if (stats === undefined) return at.includes("\ufffd") ? undefined : "gone";
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : undefined;
  if (kind === undefined) return "other";
  return {
    kind,
    stamp: kind === "folder" ? "" : `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.ino}`,
    size: Number(stats.size),
    mode: Number(stats.mode) & 0o777,
    changed: Number(stats.ctimeNs / 1_000_000n),
  };
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

function noRules(base: string): IgnoreRules {
  return new IgnoreRules(base);
}
