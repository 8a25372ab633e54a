import { spawnSync } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Executable } from "./executable.ts";

/**
 * Node 26 loads libatomic, which small images lack. On Debian it is then unpacked into `folder`, without being
 * installed; elsewhere starting Node says what is missing.
 */
export function withLibatomic(file: string, folder: string): Executable {
  if (!spawnSync(file, ["--version"], { encoding: "utf8" }).stderr?.includes("libatomic.so.1"))
    return { file, env: {} };
  mkdirSync(folder, { recursive: true });
  spawnSync("sh", ["-c", fetchLibatomic], { cwd: folder });
  const libraries = globSync("usr/lib/*", { cwd: folder }).map((path) => join(folder, path));
  return { file, env: { LD_LIBRARY_PATH: libraries.join(delimiter) } };
}

/** An image has no lists of packages until it gets them. */
const fetchLibatomic = `
  apt-get download libatomic1 || { apt-get update && apt-get download libatomic1; }
  dpkg-deb --extract libatomic1_*.deb .
`;
