import type { Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import { type ConfinedFolder, openConfined } from "../confine/confined-folder.ts";
import type { Root } from "../confine/root.ts";
import { unlessRefused } from "../confine/unless-refused.ts";
import type { Steps } from "../glob.ts";
import { readTextFile } from "../text/text-file.ts";
import { compileIgnoreLine, type IgnorePattern } from "./ignore-pattern.ts";

/** What git ignores in a folder and below it, by the .gitignore files and .git/info/exclude inside the root. */
export class IgnoreRules {
  /** The real path of the top of the repository. */
  readonly #top: string;
  /** The rules of each folder from the top down to this one. */
  readonly #levels: readonly Level[];
  readonly #report: Report;

  constructor(top: string, levels: readonly Level[] = [], report: Report = { problems: new Set(), steps: 0 }) {
    this.#top = top;
    this.#levels = levels;
    this.#report = report;
  }

  /** Which rules were not applied so far, in this folder and in entered folders. */
  get problems(): string[] {
    return [...this.#report.problems].slice(0, mostProblems);
  }

  /** The steps that all comparisons took so far. */
  get steps(): number {
    return this.#report.steps;
  }

  /**
   * Whether an entry of the folder, given by its real path, is ignored. As in git, the last rule that matches decides. The
   * caller must not ask about entries of an ignored folder.
   */
  ignores(real: string, isFolder: boolean): boolean {
    if (this.#levels.length === 0 || real === this.#top) return false;
    const names = this.#relative(real);
    const steps: Steps = { left: mostSteps };
    const decision = this.#decide(names, isFolder, steps);
    this.#report.steps += mostSteps - Math.max(steps.left, 0);
    if (steps.left >= 0) return decision;
    this.#report.problems.add(`The rules of git for "${names.slice(0, -1).join("/") || "."}" take too long to apply`);
    return false;
  }

  /** The rules inside a subfolder: these and its own. At the top of a repository only its own apply. */
  async enter(folder: ConfinedFolder, entries: readonly Dirent[]): Promise<IgnoreRules> {
    const isTop = entries.some(({ name }) => name === ".git");
    const outer = isTop ? new IgnoreRules(folder.path, [], this.#report) : this;
    const excluded = isTop ? await excludePatterns(folder, this.#report) : [];
    const own = entries.some((entry) => entry.name === ".gitignore" && entry.isFile())
      ? await patterns(folder, ".gitignore", this.#report)
      : [];
    const depth = outer.#relative(folder.path).length;
    const levels = [excluded, own].filter(({ length }) => length > 0).map((patterns) => ({ depth, patterns }));
    return levels.length === 0 ? outer : new IgnoreRules(outer.#top, [...outer.#levels, ...levels], this.#report);
  }

  isTop(real: string): boolean {
    return real === this.#top;
  }

  #decide(names: readonly string[], isFolder: boolean, steps: Steps): boolean {
    for (const { depth, patterns } of this.#levels.toReversed()) {
      const below = names.slice(depth);
      for (let index = patterns.length - 1; index >= 0; index -= 1) {
        const pattern = patterns[index];
        steps.left -= 1;
        if (steps.left < 0) return false;
        if (pattern === undefined || (pattern.onlyFolders && !isFolder)) continue;
        if (pattern.matches(below, steps)) return !pattern.isException;
      }
    }
    return false;
  }

  #relative(real: string): string[] {
    return relative(this.#top, real)
      .split(sep)
      .filter((name) => name !== "");
  }
}

/**
 * The rules for the content of a folder, from the files of all folders above it up to the root. If the folder itself is
 * ignored, no rules apply, because the caller named it.
 */
export async function rulesAbove(root: Root, real: string): Promise<IgnoreRules> {
  let rules = new IgnoreRules(root.path);
  let isIgnored = false;
  let folder = await openConfined(root, root.path);
  try {
    for (const name of relative(root.path, real).split(sep)) {
      if (name === "") continue;
      rules = await rules.enter(folder, await folder.entries());
      if (rules.isTop(folder.path)) isIgnored = false;
      isIgnored ||= rules.ignores(join(folder.path, name), true);
      const child = await folder.openFolder(name);
      await folder.close();
      folder = child;
    }
  } finally {
    await folder.close();
  }
  return isIgnored ? new IgnoreRules(real) : rules;
}

interface Level {
  /** The number of names between the top and the folder of the rules. */
  depth: number;
  patterns: readonly IgnorePattern[];
}

interface Report {
  problems: Set<string>;
  steps: number;
}

const isCaseBlind = process.platform === "win32" || process.platform === "darwin";
const mostBytes = 256 * 1024;
const mostRules = 2000;
const longestRule = 1000;
const mostProblems = 3;

/** The most comparisons of characters and names for one path with all rules. */
const mostSteps = 20_000;

async function excludePatterns(top: ConfinedFolder, report: Report): Promise<IgnorePattern[]> {
  const git = await unlessRefused(top.openFolder(".git"));
  const info = git && (await unlessRefused(git.openFolder("info")));
  try {
    return info ? await patterns(info, "exclude", report) : [];
  } finally {
    await info?.close();
    await git?.close();
  }
}

/** The rules of a file; empty if it cannot be read. */
async function patterns(folder: ConfinedFolder, name: string, report: Report): Promise<IgnorePattern[]> {
  const file = await unlessRefused(readTextFile(folder, name, mostBytes));
  const shown = folder.shown(name);
  if (file?.kind === "too_large") report.problems.add(`"${shown}" is too large and was ignored`);
  if (file?.kind !== "text") return [];
  const found: IgnorePattern[] = [];
  for (const line of file.text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    if (found.length === mostRules) {
      report.problems.add(`"${shown}" has more than ${mostRules} rules; the others were ignored`);
      break;
    }
    if (line.length > longestRule) report.problems.add(`"${shown}" has rules that are too long; they were ignored`);
    const pattern = line === "" || line.length > longestRule ? undefined : compileIgnoreLine(line, isCaseBlind);
    if (pattern !== undefined) found.push(pattern);
  }
  return found;
}
