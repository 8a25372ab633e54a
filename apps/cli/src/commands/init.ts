import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "../../package.json";
import { UsageError } from "../base/errors/usage-error.ts";
import { put } from "../base/terminal/output.ts";
import { shellWord } from "../base/terminal/shell-word.ts";
import { visible } from "../base/terminal/text.ts";
import { type PackageNames, packageNames } from "./package-names.ts";

export type PackageKind = "provider" | "tool" | "extension" | "store";

export interface InitOptions {
  /** The folder to make. Defaults to one with the name of the package. */
  folder?: string;
}

/**
 * `cogency init`: makes a package that builds and passes the kit of its contract.
 *
 * @throws UsageError for a name that cannot be one, and for a folder that holds something
 */
export async function init(kind: PackageKind, name: string, options: InitOptions): Promise<void> {
  const names = packageNames(kind, name);
  const folder = options.folder ?? names.package.replace(/^@[^/]*\//, "");
  await makeEmpty(folder);
  const files = await templateFiles(kind);
  for (const [path, text] of files) {
    const target = join(folder, named(path, names));
    await mkdir(join(target, ".."), { recursive: true });
    await writeFile(target, named(text, names), { flag: "wx" });
  }
  await put(
    `${visible(names.package)} is in ${visible(resolve(folder))}. It builds, and passes its tests:\n\n  cd ${visible(folder)}\n  npm install\n  npm test\n\n${nextStep(kind, folder)}\n`,
  );
}

/** How the package is used. */
function nextStep(kind: PackageKind, folder: string): string {
  switch (kind) {
    case "provider":
      return "After npm run build, use it there with: cogency --provider . hello";
    case "tool":
    case "extension":
      return `It can be used at once, before an install and a build: cogency tools list --tool ${shellWord(typedPath(folder))}`;
    case "store":
      return "A store is given to an agent of your own program, with createAgent: its README shows how.";
  }
}

/** A folder as a path: a bare name would be a package. */
function typedPath(folder: string): string {
  return /^\.{0,2}\//.test(folder) ? folder : `./${folder}`;
}

/** The folder of the templates, beside `dist`. */
const packed = fileURLToPath(new URL("../templates", import.meta.url));

/** The files of a template, with their paths in the package. */
export async function templateFiles(kind: PackageKind, templates = packed): Promise<[path: string, text: string][]> {
  const folder = join(templates, kind);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return Promise.all(
    files.sort().map(async (path) => [path, await readFile(join(folder, path), "utf8")] as [string, string]),
  );
}

/** Puts the names of the package in place of those of the template, which is called parrot. */
export function named(text: string, names: PackageNames): string {
  return (
    text
      .replaceAll(/\bcogency-(?:provider|tool|extension|store)-parrot\b/g, names.package)
      .replaceAll(/\bparrot(?=\.(?:js|ts|d\.ts|test\.ts|tests\.ts)\b)/g, names.file)
      // A package.json would be one of the app itself.
      .replaceAll("package.template.json", "package.json")
      // Nor are its tests those of the app.
      .replaceAll(/\.tests\.ts$/g, ".test.ts")
      .replaceAll("PARROT", names.constant)
      .replaceAll("Parrot", names.pascal)
      .replaceAll("parrot", names.camel)
      .replaceAll("^0.0.0", `^${version}`)
  );
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${visible(resolve(folder))} cannot be made (${error.code}). Give another one with --folder.`);
  });
  if ((await readdir(folder)).length > 0)
    throw new UsageError(`${visible(resolve(folder))} holds files already. Give an empty folder with --folder.`);
}
