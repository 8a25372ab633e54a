import { isInside, type Root } from "../files/confine/root.ts";
import { findProgram, programFolders, systemPath } from "./find-program.ts";

/**
 * The real path of the program that a PATH names, among its folders that are absolute and outside of a root; undefined if there is none. A
 * program that lies in the root, or that a link leads to there, is not taken: what a project brings must not run by the name of a tool.
 *
 * @param path defaults to the PATH of the process
 */
export function programOutside(
  name: string,
  root: Pick<Root, "base" | "given">,
  path = process.env.PATH ?? systemPath,
): string | undefined {
  const roots = [root.base, root.given];
  return programFolders(path, root)
    .map((folder) => findProgram(name, [folder]))
    .find((program) => program !== undefined && !roots.some((base) => isInside(base, program)));
}
