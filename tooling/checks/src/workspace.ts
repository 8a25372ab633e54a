import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The fields of a package.json that the checks read. */
export interface Manifest {
  name: string;
  version?: string;
  private?: boolean;
  description?: string;
  keywords?: string[];
  repository?: { type: string; url: string; directory?: string };
  homepage?: string;
  bugs?: unknown;
  main?: string;
  exports?: Record<string, unknown> | string;
  bin?: Record<string, string> | string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface WorkspacePackage {
  /** The path in the workspace, such as `packages/protocol`. */
  path: string;
  /** The absolute path. */
  folder: string;
  manifest: Manifest;
}

/** The root folder of the workspace. */
export const workspaceRoot: string = fileURLToPath(new URL("../../..", import.meta.url));

/** The packages in the given top folders of a workspace, sorted by path. */
export function packagesIn(root: string, ...tops: ("packages" | "apps" | "tooling")[]): WorkspacePackage[] {
  const paths = tops.flatMap((top) => {
    const folder = join(root, top);
    return existsSync(folder) ? readdirSync(folder).map((name) => `${top}/${name}`) : [];
  });
  return paths.sort().flatMap((path) => {
    const manifest = join(root, path, "package.json");
    if (!existsSync(manifest)) return [];
    return [{ path, folder: join(root, path), manifest: JSON.parse(readFileSync(manifest, "utf8")) as Manifest }];
  });
}

/** The packages that are published: every package and app that is not private. */
export function publishablePackages(root: string = workspaceRoot): WorkspacePackage[] {
  return packagesIn(root, "packages", "apps").filter(({ manifest }) => !manifest.private);
}
