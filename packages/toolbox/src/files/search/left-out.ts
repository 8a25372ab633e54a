import type { Dirent } from "node:fs";
import { isGit } from "../confine/git-folder.ts";

/** Whether an entry is left out because it never holds source. In a linked work tree `.git` is a file. */
export function isLeftOut(entry: Dirent): boolean {
  return isGit(entry.name) || (neverSource.has(entry.name.toLowerCase()) && !entry.isFile());
}

/** Folders of version control, package managers and other tools. Build results are not listed, because some are source. */
const neverSource = new Set(
  `.hg .svn .jj node_modules .pnpm-store .venv venv __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .nox .eggs
  .ipynb_checkpoints .gradle .terraform .cache .parcel-cache .turbo .nx .next .nuxt .svelte-kit .direnv .nyc_output`.split(
    /\s+/,
  ),
);

/** A sentence that names what was left out and how to see it; undefined if nothing was. */
export function leftOutNote(names: ReadonlyMap<string, number>): string | undefined {
  if (names.size === 0) return undefined;
  const total = [...names.values()].reduce((sum, count) => sum + count, 0);
  const shown = [...names.keys()].slice(0, mostNamed);
  const more = names.size > shown.length ? ", …" : "";
  const what = total === 1 ? "1 entry that holds" : `${total} entries that hold`;
  return `Left out ${what} no source: ${shown.join(", ")}${more}. To look into one, give it as "path".`;
}

const mostNamed = 6;
