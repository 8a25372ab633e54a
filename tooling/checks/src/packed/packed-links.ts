import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { relativeLinksOf } from "../citations/relative-links.ts";
import type { InstalledPackage } from "./packed-install.ts";

/**
 * The relative links in the Markdown pages of a tarball that lead nowhere. A link within the package must lead to a file of
 * the tarball. Any other link must lead to a file of the repository: the registry resolves the links of a README against
 * `repository.directory`. Anchors are checked with the citations of the workspace.
 *
 * @param root the folder of the repository
 */
export function linkProblems({ folder, source }: InstalledPackage, root: string): string[] {
  return globSync("{README.md,docs/**/*.md}", { cwd: folder }).flatMap((page) =>
    relativeLinksOf(readFileSync(join(folder, page), "utf8")).flatMap(({ link, path }) => {
      const packed = path === "" ? page : join(dirname(page), path);
      const isWithin = !packed.startsWith("..");
      const target = join(isWithin ? folder : join(root, source.path), packed);
      if (link.startsWith("/"))
        return [`${page}: the link ${link} begins with a slash, which the registry does not resolve`];
      if (existsSync(target)) return [];
      return [`${page}: the link ${link} leads to no file of the ${isWithin ? "tarball" : "repository"}`];
    }),
  );
}
