import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { InstalledPackage } from "./packed-install.ts";

/**
 * The links in the Markdown pages of a tarball that lead nowhere. A link within the package must lead to a file of the
 * tarball. Any other one must lead to a file of the repository: the registry resolves the links of a README against
 * `repository.directory`.
 *
 * @param root the folder of the repository
 */
export function linkProblems({ folder, source }: InstalledPackage, root: string): string[] {
  const pages = globSync("{README.md,docs/**/*.md}", { cwd: folder });
  return pages.flatMap((page) =>
    linksOf(readFileSync(join(folder, page), "utf8")).flatMap((link) => {
      const problem = linkProblem(link, join(folder, page), folder, join(root, source.path));
      return problem === undefined ? [] : [`${page}: the link "${link}" ${problem}`];
    }),
  );
}

function linkProblem(link: string, page: string, folder: string, home: string): string | undefined {
  if (/^[a-z]+:/i.test(link)) return undefined;
  if (link.startsWith("/")) return "begins with a slash; begin where the page stands";
  const [path = "", anchor] = link.split("#");
  const packed = path === "" ? page : join(dirname(page), path);
  const isWithin = !relative(folder, packed).startsWith("..");
  const target = isWithin ? packed : join(home, relative(folder, packed));
  if (!existsSync(target)) return `leads to no file of the ${isWithin ? "tarball" : "repository"}`;
  if (anchor === undefined) return undefined;
  const document = statSync(target).isDirectory() ? join(target, "README.md") : target;
  const hasHeading = existsSync(document) && anchorsOf(readFileSync(document, "utf8")).has(anchor);
  return hasHeading ? undefined : "leads to no heading";
}

function linksOf(markdown: string): string[] {
  return Array.from(withoutCode(markdown).matchAll(/\]\(([^()\s]+)\)|^\[[^\]]+\]: (\S+)/gm), ([, inline, below]) =>
    String(inline ?? below),
  );
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, title = ""] of withoutBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm)) {
    const base = title
      .toLowerCase()
      .replaceAll(/\]\([^)]*\)/g, "")
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutCode(markdown: string): string {
  return withoutBlocks(markdown).replaceAll(/`[^`\n]*`/g, "code");
}

function withoutBlocks(markdown: string): string {
  return markdown.replaceAll(/^(\s*)(`{3,}|~{3,})[\s\S]*?^\1\2$/gm, "");
}
