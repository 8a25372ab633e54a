import { spawnSync } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Executable } from "./executable.ts";

/**
 * Provides libatomic, which Node 26 loads and small images lack. On Debian it is unpacked into `folder` without being
 * installed. On other systems Node fails to start and names the missing library.
 */
export function withLibatomic(file: string, folder: string): Executable {
  if (!spawnSync(file, ["--version"], { encoding: "utf8" }).stderr?.includes("libatomic.so.1"))
    return { file, env: {} };
  mkdirSync(folder, { recursive: true });
  spawnSync("sh", ["-c", fetchLibatomic], { cwd: folder });
  const libraries = globSync("usr/lib/*", { cwd: folder }).map((path) => join(folder, path));
  return { file, env: { LD_LIBRARY_PATH: libraries.join(delimiter) } };
}

/** Fetches the package lists, which an image lacks at first. */
const fetchLibatomic = `
  apt-get download libatomic1 || { apt-get update && apt-get download libatomic1; }
  dpkg-deb --extract libatomic1_*.deb .
`;
