import type { Dirent } from "node:fs";
import { relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { type ConfinedFolder, openConfined } from "./confined-folder.ts";
import type { Root } from "./root.ts";
import { readTextFile } from "./text-file.ts";
import { unlessRefused } from "./unless-refused.ts";

/** What git ignores in a folder and below it, as far as the root shows: .gitignore files and .git/info/exclude. */
export class IgnoreRules {
  /** The real path to which the rules are relative: the top of the repository. */
  readonly #top: string;
  readonly #matcher: Ignore | undefined;

  constructor(top: string, matcher?: Ignore) {
    this.#top = top;
    this.#matcher = matcher;
  }

  /** Whether a file or folder, given by its real path, is ignored, itself or by a folder that it is in. */
  ignores(real: string, isFolder: boolean): boolean {
    if (this.#matcher === undefined || real === this.#top) return false;
    return this.#matcher.ignores(this.#relative(real) + (isFolder ? "/" : ""));
  }

  /** The rules that hold inside a folder: these and its own. The top of a repository begins anew. */
  async enter(folder: ConfinedFolder, entries: readonly Dirent[]): Promise<IgnoreRules> {
    const isTop = entries.some(({ name }) => name === ".git");
    const outer = isTop ? new IgnoreRules(folder.path) : this;
    const excluded = isTop ? await excludeLines(folder) : [];
    const own = entries.some((entry) => entry.name === ".gitignore" && entry.isFile())
      ? await ruleLines(folder, ".gitignore")
      : [];
    if (excluded.length + own.length === 0) return outer;
    const prefix = outer.#relative(folder.path);
    const matcher = ignore({ allowRelativePaths: true, ignorecase: IS_CASE_BLIND });
    if (outer.#matcher !== undefined) matcher.add(outer.#matcher);
    return new IgnoreRules(outer.#top, matcher.add([...excluded, ...own.map((line) => fromTop(line, prefix))]));
  }

  #relative(real: string): string {
    return relative(this.#top, real).split(sep).join("/");
  }
}

/**
 * The rules that hold for what is in a folder, from the files of all folders above it up to the root. A folder that
 * is itself ignored is looked into as if nothing were: it was asked for by name.
 */
export async function rulesAbove(root: Root, real: string): Promise<IgnoreRules> {
  let rules = new IgnoreRules(root.path);
  let folder = await openConfined(root, root.path);
  try {
    for (const name of relative(root.path, real).split(sep)) {
      if (name === "") continue;
      rules = await rules.enter(folder, await folder.entries());
      const child = await folder.openFolder(name);
      await folder.close();
      folder = child;
    }
  } finally {
    await folder.close();
  }
  return rules.ignores(real, true) ? new IgnoreRules(real) : rules;
}

const IS_CASE_BLIND = process.platform === "win32" || process.platform === "darwin";
const MOST_BYTES = 256 * 1024;

// Each is tried on each file, in one go.
const MOST_RULES = 2000;

// Each further `**` multiplies the steps that the library's expressions take on a deep path.
const MOST_GLOBSTARS = 3;

async function excludeLines(top: ConfinedFolder): Promise<string[]> {
  const git = await unlessRefused(top.openFolder(".git"));
  const info = git && (await unlessRefused(git.openFolder("info")));
  try {
    return info ? await ruleLines(info, "exclude") : [];
  } finally {
    await info?.close();
    await git?.close();
  }
}

/** The rules of a file; none if it cannot be read. */
async function ruleLines(folder: ConfinedFolder, name: string): Promise<string[]> {
  const file = await unlessRefused(readTextFile(folder, name, MOST_BYTES));
  if (file?.kind !== "text") return [];
  const lines = file.text.replace(/^\ufeff/, "").split(/\r?\n/);
  return lines.filter((line) => line.trim() !== "" && !line.startsWith("#") && isCheap(line)).slice(0, MOST_RULES);
}

function isCheap(line: string): boolean {
  return line.split("**").length - 1 <= MOST_GLOBSTARS;
}

/** Rewrites a line of a .gitignore in the folder `prefix` as one that means the same at the top. */
function fromTop(line: string, prefix: string): string {
  if (prefix === "") return line;
  const sign = line.startsWith("!") ? "!" : "";
  const pattern = line.slice(sign.length);
  const isAnchored = pattern.trimEnd().replace(/\/+$/, "").includes("/");
  const folder = prefix.replace(/[\\*?[\]]/g, "\\$&");
  return `${sign}/${folder}${isAnchored ? "/" : "/**/"}${pattern.replace(/^\//, "")}`;
}
