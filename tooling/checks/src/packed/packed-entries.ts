import { packages } from "../packages.ts";
import type { InstalledPackage } from "./packed-install.ts";

/** Reports missing entries of a package, and entries that CommonJS cannot load. */
export function entryProblems({ source, manifest, entries }: InstalledPackage): string[] {
  const { main } = manifest;
  const { isCommand, entries: documented = [] } = packages[source.path] ?? {};
  if (isCommand) return [];
  const problems: string[] = [];
  for (const subpath of [".", ...documented]) {
    if (!entries.some((entry) => entry.subpath === subpath)) problems.push(`exports lacks "${subpath}"`);
  }
  for (const { subpath, hasRequire } of entries) {
    if (!hasRequire) problems.push(`exports["${subpath}"] has no "require" with a .cjs file`);
  }
  if (!main?.endsWith(".cjs")) problems.push('"main" names no .cjs file');
  return problems;
}
