import { relative, sep } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { isInside } from "../guard/is-inside.ts";
import { foldPath } from "../guard/reach.ts";

/** The names of files and folders that the program obeys, in whatever folder of the root they stand. */
export interface ObeyedNames {
  /** Hold its configuration: no tool and no program of a tool changes them. */
  readonly config: readonly string[];
  /** Hold instructions for its model: a change asks, and no program of a tool makes it. */
  readonly instructions: readonly string[];
}

/** The part of a root that names the files which the program obeys. */
interface ObeyingRoot {
  readonly path: string;
  readonly base: string;
  readonly obeyed: ObeyedNames;
}

/** @throws ToolboxError `path_invalid` for a name that is a path */
export function obeyedNames(config: readonly string[], instructions: readonly string[]): ObeyedNames {
  for (const [option, names] of Object.entries({ config, instructions })) {
    const bad = names.find((name) => !/^[^/\\\0]+$/.test(name) || name === "." || name === "..");
    if (bad === undefined) continue;
    const problem = `"${bad}" in \`${option}\` is not the name of a file or folder.`;
    throw new ToolboxError("path_invalid", bad, `${problem} Give a name without its folder, such as "AGENTS.md".`);
  }
  return { config, instructions };
}

/** Whether a file with this real path is configuration of the program, or lies in a folder that is. */
export function isConfiguration(root: ObeyingRoot, real: string): boolean {
  return belowBase(root, real).some((name) => isNamed(root.obeyed.config, name));
}

/** Whether any file system may read a name as one of `names`. NTFS ignores spaces and dots at the end, and names of streams. */
export function isNamed(names: readonly string[], name: string): boolean {
  const key = (each: string) => foldPath(each).replace(/[ .]*(?::.*)?$/s, "");
  return names.some((each) => key(each) === key(name));
}

/** @throws ToolboxError `permission_denied` */
export function refuseConfiguration(root: ObeyingRoot, real: string, shown: string): void {
  if (!isConfiguration(root, real)) return;
  const problem = `"${shown}" configures the program that runs these tools: it can be read but not changed.`;
  throw new ToolboxError("permission_denied", shown, `${problem} Tell the person what to change in it.`);
}

/** The names of a path below the base of the root; a path outside of it, which only `system` access reaches, as a whole. */
function belowBase({ path, base }: ObeyingRoot, real: string): string[] {
  return relative(isInside(base, real) ? base : path, real).split(sep);
}
