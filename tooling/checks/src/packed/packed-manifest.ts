import type { Manifest } from "../workspace.ts";
import type { InstalledPackage } from "./packed-install.ts";

/**
 * Finds what a manifest lacks for the registry to describe the package and to resolve the links of its README.
 *
 * @param root the manifest of the workspace, which has the repository's address
 */
export function manifestProblems({ source, manifest }: InstalledPackage, root: Manifest): string[] {
  const { description, keywords, repository, homepage, bugs } = manifest;
  const problems: string[] = [];
  if (!description) problems.push('"description" is missing');
  if (!keywords?.length) problems.push('"keywords" are missing');
  const expected = { ...root.repository, directory: source.path };
  if (JSON.stringify(repository) !== JSON.stringify(expected)) {
    problems.push(`"repository" is not ${JSON.stringify(expected)}`);
  }
  // npm derives both from `repository`, so the address stands once in each manifest.
  if (homepage !== undefined) problems.push('"homepage" repeats the address that "repository" has');
  if (bugs !== undefined) problems.push('"bugs" repeats the address that "repository" has');
  return problems;
}
