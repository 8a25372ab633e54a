import { accessSync, constants, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../files/confine/root.ts";
import { realPath } from "../find-program.ts";

/**
 * The folders that a command must see to run the programs of `programFolders`: these folders and, beside a `bin` or `shims`,
 * folders such as `lib`. Nothing else of a home folder is shown: `~/.cargo/bin` shows neither the keys in `~/.cargo` nor the
 * data in `~/.local/share`.
 *
 * @param home folders that are never shown as a whole
 * @returns real paths
 */
export function toolchainPlaces(programFolders: readonly string[], home: readonly string[]): string[] {
  const shown = new Set<string>();
  const show = (path: string) => {
    // Most candidates do not exist, and checking is faster than catching an error.
    if (!existsSync(path)) return;
    const real = realPath(path);
    const isShown = isInside("/usr", real) || home.some((own) => isInside(real, own));
    if (!isShown && isReadable(real)) shown.add(real);
  };
  for (const folder of programFolders.map(realPath)) {
    show(folder);
    const prefix = dirname(folder);
    const isShown = isInside("/usr", prefix) || home.some((own) => isInside(prefix, own));
    if (isShown || !/^(?:s?bin|shims)$/.test(basename(folder))) continue;
    const isInHome = home.some((own) => isInside(own, prefix));
    for (const name of isInHome ? programNames : [...programNames, ...dataNames]) show(join(prefix, name));
  }
  for (const own of home) {
    if (shown.has(join(own, ".cargo", "bin"))) for (const name of rustupNames) show(join(own, ".rustup", name));
  }
  return [...shown];
}

/** Programs, libraries, and the versions of a version manager. */
const programNames = [
  ...["bin", "sbin", "shims", "lib", "lib32", "lib64", "libexec"],
  ...["versions", "version", "installs", "plugins", "toolchains", "tools", "candidates"],
];
/** Headers, sources, data and settings of compilers and interpreters. */
const dataNames = ["include", "share", "pkg", "src", "conf", "jmods"];
/** The programs in `~/.cargo/bin` start programs there. */
const rustupNames = ["toolchains", "settings.toml"];

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
