import { basename, dirname, join, resolve, sep } from "node:path";
import { isNamed } from "../confine/obeyed-names.ts";
import { isInside, pathInRoot, type Root } from "../confine/root.ts";
import { compileGlob } from "../glob.ts";
import { type GitSettings, inHome, sharedSettings } from "./git-config.ts";
import { globsOf, personalFiles, projectFiles, systemFiles } from "./later-files.ts";
import { LaterLook } from "./later-look.ts";

/**
 * Returns why a change of the file with this real path makes a program run later although no person starts it: a sentence for
 * the person who is asked. Undefined for all other files. It compares names, so it cannot find every such file.
 *
 * @param look shared by the files of one moment
 */
export async function runsLater(root: Root, real: string, look = new LaterLook()): Promise<string | undefined> {
  const shown = pathInRoot(root, real);
  // Rules for projects see only the path below the base: a project inside a folder `.claude` is not a setting of an agent.
  const inProject = isInside(root.base, real) ? shown : real;
  for (const { tests, what, isOfProject } of rules) {
    const path = folded(isOfProject ? inProject : real).replace(/^\/+/, "");
    if (tests.some((test) => test(path))) return `"${shown}": ${what}.`;
  }
  if (await isInstruction(root, real, look)) return `"${shown}": agents obey it, and it can tell them what to do.`;
  const named = await namedByGit(real, look);
  return named && `"${shown}": ${named}.`;
}

/** Whether the file instructs the model: by its name, or because a link with such a name in a folder above leads to it. */
async function isInstruction(root: Root, real: string, look: LaterLook): Promise<boolean> {
  const { instructions } = root.obeyed;
  if (isNamed(instructions, basename(real))) return true;
  const links = new Set<string>();
  for (let folder = dirname(real); isInside(root.base, folder); folder = dirname(folder)) {
    for (const name of instructions) links.add(await look.real(join(folder, name)));
    if (folder === dirname(folder)) break;
  }
  return links.has(real);
}

/** Whether a file is a `package.json`, for which `changesScripts` decides. */
export function isPackageManifest(real: string): boolean {
  return folded(real).endsWith("/package.json");
}

interface Rule {
  what: string;
  tests: readonly ((path: string) => boolean)[];
  isOfProject: boolean;
}

const rules: readonly Rule[] = [
  ...projectFiles.map(([what, files]) => ({ what, tests: globsOf(files).map(anywhere), isOfProject: true })),
  ...personalFiles.map(([what, files]) => ({ what, tests: globsOf(files).map(anywhere), isOfProject: false })),
  ...systemFiles.map(([what, files]) => ({ what, tests: globsOf(files).map(compileGlob), isOfProject: false })),
];

/** Matches in every folder: a glob without `/` is compared with the file name, any other with the end of the path. */
function anywhere(glob: string): (path: string) => boolean {
  return compileGlob(glob.includes("/") ? `**/${glob}` : glob);
}

function folded(path: string): string {
  return path.split(sep).join("/").normalize("NFC").toLowerCase();
}

/** Checks the settings of git in the repositories around a file, because they can name hooks and programs at any path. */
async function namedByGit(real: string, look: LaterLook): Promise<string | undefined> {
  let shared: readonly GitSettings[] | undefined;
  for (let folder = dirname(real), inner = real; folder !== inner; inner = folder, folder = dirname(folder)) {
    const named = await look.gitFolders(folder);
    if (named.length === 0) continue;
    const files = named.flatMap((git) => [join(git, "config"), join(git, "config.worktree")]);
    shared ??= await Promise.all(sharedSettings().map((file) => look.settings(file)));
    for (const read of [...shared, ...(await Promise.all(files.map((file) => look.settings(file))))]) {
      const why = await namedIn(read, folder, real, look);
      if (why !== undefined) return why;
    }
  }
  return undefined;
}

/** @param worktree the folder that relative paths in settings begin at */
async function namedIn(
  { settings, included, isWhole }: GitSettings,
  worktree: string,
  real: string,
  look: LaterLook,
): Promise<string | undefined> {
  for (const file of included) if (isInside(await look.real(file), real)) return "git takes its settings from it";
  for (const { key, value = "" } of settings) {
    if (key === "core.hookspath") {
      for (const folder of hookFolders(resolve(worktree, inHome(value)))) {
        if (isInside(await look.real(folder), real)) return "git runs it as a hook";
      }
    }
    for (const word of wordsOf(value)) {
      if ((await look.real(resolve(worktree, inHome(word)))) === real) return `the setting ${key} of git names it`;
    }
  }
  return isWhole ? undefined : "the settings of git cannot be read whole, and may name it";
}

/** Husky's generated hooks in a folder `_` call the scripts beside that folder. */
function hookFolders(folder: string): string[] {
  return basename(folder) === "_" ? [dirname(folder)] : [folder];
}

/** A setting may be a command line, and any word of it may be a program or a script. */
function wordsOf(value: string): string[] {
  if (value.length > longestCommand || /^(?:true|false|yes|no|on|off|\d+|)$/i.test(value)) return [];
  return value.split(/[\s;&|()<>"'`=!]+/).filter((word) => word !== "");
}

const longestCommand = 8192;
