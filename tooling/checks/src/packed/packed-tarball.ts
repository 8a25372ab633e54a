import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { workspaceRoot } from "../workspace.ts";
import type { Installation, InstalledPackage } from "./packed-install.ts";

const required = ["package.json", "README.md", "LICENSE"];

/** Reports missing files, files that do not belong into a tarball, and dependencies that no user could install. */
export function tarballProblems(installed: InstalledPackage, { packages }: Installation): string[] {
  const { folder, manifest } = installed;
  const files = globSync("**/*", { cwd: folder, exclude: ["node_modules"] })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll("\\", "/"));
  const problems: string[] = [];

  for (const path of required) if (!files.includes(path)) problems.push(`${path} is missing from the tarball`);
  if (!files.some((path) => path.startsWith("dist/"))) problems.push("dist/ is missing from the tarball");
  for (const path of files) {
    if (!belongs(path)) problems.push(`${path} does not belong into the tarball`);
    if (readFileSync(join(folder, path)).includes(workspaceRoot)) problems.push(`${path} holds a path of this machine`);
  }
  for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    if (/^(workspace|catalog|link|file):/.test(range)) problems.push(`${name}: "${range}" is not resolved`);
    const sibling = packages.find((one) => one.manifest.name === name);
    if (sibling && range.replace(/^[\^~]/, "") !== sibling.manifest.version) {
      problems.push(`${name}: "${range}" is not the packed version ${sibling.manifest.version}`);
    }
    if (!sibling && name.startsWith("@cogency/")) problems.push(`${name} is not published`);
  }
  return problems;
}

function belongs(path: string): boolean {
  // What `cogency init` copies, tests included.
  if (path.startsWith("templates/")) return true;
  if (/\.(test|test-d|bench)\./.test(path)) return false;
  return (
    /^(dist|bin|schema)\/|^src\/.*\.(ts|json|css)$|^docs\/[\w-]+\.(md|png)$/.test(path) ||
    [...required, "CHANGELOG.md"].includes(path)
  );
}
