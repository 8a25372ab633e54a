import type { InstalledPackage } from "./packed-install.ts";

/** Packages that are a command and nothing to import. */
export const commands: readonly string[] = ["@cogency/cli"];

/** What the documentation promises beside the main entry. */
const documentedEntries: Readonly<Record<string, readonly string[]>> = {
  "@cogency/protocol": ["./testkit"],
  "@cogency/provider": ["./http", "./testkit"],
  "@cogency/storage": ["./testkit"],
};

/** Which entries a package lacks, and which of them CommonJS cannot load. */
export function entryProblems({ manifest, entries }: InstalledPackage): string[] {
  const { name, main } = manifest;
  if (commands.includes(name)) return [];
  const problems: string[] = [];
  for (const subpath of [".", ...(documentedEntries[name] ?? [])]) {
    if (!entries.some((entry) => entry.subpath === subpath)) problems.push(`exports lacks "${subpath}"`);
  }
  for (const { subpath, hasRequire } of entries) {
    if (!hasRequire) problems.push(`exports["${subpath}"] has no "require" with a .cjs file`);
  }
  if (!main?.endsWith(".cjs")) problems.push('"main" names no .cjs file');
  return problems;
}
