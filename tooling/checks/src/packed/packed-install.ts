import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Manifest, WorkspacePackage } from "../workspace.ts";
import { pack, unpack } from "./pack.ts";

/** An unpacked tarball. */
export interface InstalledPackage {
  /** The package of the workspace that was packed. */
  source: WorkspacePackage;
  /** The manifest in the tarball, in which `workspace:` and `catalog:` are resolved. */
  manifest: Manifest;
  folder: string;
  /** The entries of its `exports`, without `package.json`. */
  entries: Entry[];
}

/** One entry of a package. */
export interface Entry {
  owner: InstalledPackage;
  /** As in `exports`, such as `.` or `./testkit`. */
  subpath: string;
  /** As a user imports it, such as `@cogency/protocol/testkit`. */
  specifier: string;
  /** `exports` names a CommonJS file for it. */
  hasRequire: boolean;
}

/** A project in a folder of its own that depends on every package. */
export interface Installation {
  packages: InstalledPackage[];
  /** The folder from which the packages can be imported by name. */
  consumer: string;
}

/** Packs packages of the workspace, unpacks the tarballs under `root` and installs them together. */
export function packAndInstall(sources: readonly WorkspacePackage[], root: string): Installation {
  const packages = sources.map((source) => {
    const folder = join(root, source.path);
    unpack(pack(source, root), folder);
    return installedPackage(source, folder);
  });
  return install(packages, join(root, "consumer"));
}

/** Describes the package that is unpacked in `folder`. */
export function installedPackage(source: WorkspacePackage, folder: string): InstalledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const owner: InstalledPackage = { source, manifest, folder, entries: [] };
  owner.entries = entriesOf(owner);
  return owner;
}

/**
 * Installs in pnpm's isolated layout: a package finds only the dependencies that its packed manifest declares, so an
 * undeclared one fails. Packages of the workspace are the unpacked ones; all others come from the workspace's
 * node_modules.
 */
export function install(packages: InstalledPackage[], consumer: string): Installation {
  for (const { source, manifest, folder } of packages) {
    const { dependencies, peerDependencies, optionalDependencies } = manifest;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })) {
      const sibling = packages.find((one) => one.manifest.name === name);
      link(sibling?.folder ?? join(source.folder, "node_modules", name), join(folder, "node_modules", name));
    }
    link(folder, join(consumer, "node_modules", manifest.name));
  }
  link(join(import.meta.dirname, "../../node_modules/@types/node"), join(consumer, "node_modules/@types/node"));
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ private: true, type: "module" }));
  return { packages, consumer };
}

function entriesOf(owner: InstalledPackage): Entry[] {
  const { name, exports = {} } = owner.manifest;
  const subpaths = typeof exports === "string" ? { ".": exports } : exports;
  return Object.entries(subpaths).flatMap(([subpath, target]) => {
    if (subpath === "./package.json") return [];
    return [
      { owner, subpath, specifier: `${name}${subpath.slice(1)}`, hasRequire: /\.cjs$/.test(requiredFile(target)) },
    ];
  });
}

/** The file that `require` loads for an entry of `exports`. Empty if there is none. */
function requiredFile(target: unknown): string {
  if (typeof target !== "object" || target === null || !("require" in target)) return "";
  const { require } = target;
  if (typeof require === "string") return require;
  const isConditional = typeof require === "object" && require !== null && "default" in require;
  return isConditional ? String(require.default) : "";
}

/** A missing dependency is skipped. Importing it fails later, with a message. */
function link(target: string, path: string): void {
  if (!existsSync(target)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(realpathSync(target), path, "junction");
}
