import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Manifest, WorkspacePackage } from "../workspace.ts";
import { pack, unpack } from "./pack.ts";

/** An unpacked tarball in its place. */
export interface InstalledPackage {
  /** The package of the workspace it was packed from. */
  source: WorkspacePackage;
  /** The manifest in the tarball: `workspace:` and `catalog:` are resolved in it. */
  manifest: Manifest;
  folder: string;
  /** What its `exports` name, `package.json` aside. */
  entries: Entry[];
}

/** One thing that can be imported. */
export interface Entry {
  owner: InstalledPackage;
  /** As in `exports`, such as `.` or `./testkit`. */
  subpath: string;
  /** As a user imports it, such as `@cogency/protocol/testkit`. */
  specifier: string;
  /** `exports` names a CommonJS file for it. */
  hasRequire: boolean;
}

/** A project that depends on every package, in a folder of its own. */
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

/** A package as it stands unpacked in `folder`. */
export function installedPackage(source: WorkspacePackage, folder: string): InstalledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const owner: InstalledPackage = { source, manifest, folder, entries: [] };
  owner.entries = entriesOf(owner);
  return owner;
}

/**
 * Installs in pnpm's isolated layout: beside a package stand only the dependencies that its packed manifest declares,
 * so that one it forgot to declare is not found. Siblings are the unpacked ones, others those of the workspace.
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

/** What `require` of an entry of `exports` loads, `""` if nothing is named for it. */
function requiredFile(target: unknown): string {
  if (typeof target !== "object" || target === null || !("require" in target)) return "";
  const { require } = target;
  if (typeof require === "string") return require;
  const isConditional = typeof require === "object" && require !== null && "default" in require;
  return isConditional ? String(require.default) : "";
}

/** A dependency that is not there is left out: who imports it says so. */
function link(target: string, path: string): void {
  if (!existsSync(target)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(realpathSync(target), path, "junction");
}
