import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { confinePath } from "../files/confine/confined-path.ts";
import { isInside, type Root } from "../files/confine/root.ts";
import { unlessRefused } from "../files/confine/unless-refused.ts";
import type { Script } from "./script/read-script.ts";

/**
 * The files that a command line runs, as far as its words name them: a script, an argument of an interpreter, and what a package
 * manager or `make` takes its commands from. Every word that names a file counts, because any program may run it. So does a
 * file that a redirection reads.
 *
 * @param folder where it runs
 * @returns real paths
 */
export async function filesRunBy(root: Root, script: Script, folder: string): Promise<string[]> {
  const read = ["", ...script.reads.flatMap(({ path }) => path ?? [])];
  const commands = script.commands.slice(0, mostCommands).map(({ words }) => words.map(({ value }) => value));
  const files = new Set<string>();
  for (const words of [...commands, read]) for (const file of await filesOf(root, words, folder)) files.add(file);
  return [...files];
}

const mostCommands = 100;

async function filesOf(root: Root, words: readonly string[], folder: string): Promise<string[]> {
  const files = new Set<string>();
  const folders = [folder];
  for (const word of words.slice(0, mostWords)) {
    for (const path of new Set([word, word.slice(word.indexOf("=") + 1)])) {
      if (path === "" || path.startsWith("-")) continue;
      const place = await placeOf(root, resolve(folder, path));
      if (place?.kind === "file" && (word !== words[0] || word.includes("/"))) files.add(place.real);
      if (place?.kind === "folder") folders.push(place.real);
    }
  }
  const manifests = manifestsOf(basename(words[0] ?? ""));
  for (const start of manifests.length > 0 ? folders : []) {
    for (let above = start; isInside(root.base, above); above = dirname(above)) {
      const found = await Promise.all(manifests.map((name) => placeOf(root, join(above, name))));
      const real = found.filter((place) => place?.kind === "file").map((place) => place?.real ?? "");
      for (const path of real) files.add(path);
      if (real.length > 0 || above === dirname(above)) break;
    }
  }
  return [...files];
}

const mostWords = 200;

function manifestsOf(program: string): readonly string[] {
  if (/^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)$/.test(program)) return ["package.json"];
  return /^g?make$/.test(program) ? ["GNUmakefile", "makefile", "Makefile"] : [];
}

/** Outside the root, where only a command without a sandbox runs something, nothing is read. */
async function placeOf(root: Root, path: string): Promise<{ real: string; kind: string } | undefined> {
  const confined = await unlessRefused(confinePath(root, path));
  if (confined !== undefined || !isAbsolute(path) || isInside(root.path, path)) return confined;
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() ? { real: path, kind: "file" } : undefined;
}
