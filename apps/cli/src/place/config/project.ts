import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { realPath } from "../../base/files/real-path.ts";
import { mcpJsonName } from "../mcp/mcp-json.ts";
import { type TextFolders, textFoldersIn } from "../texts/text-folders.ts";

/** The folders of a project, and the files by which it would configure the app. */
export interface ProjectFiles {
  /** The nearest folder with `.git` upward from the root, else the root itself. Trust is given to it. */
  readonly top: string;
  /** The folders from `top` down to the root. */
  readonly folders: readonly string[];
  /** The nearest folder that configures something, else `top`. What a person has seen of the configuration is kept for it. */
  readonly place: string;
  /** Where the project's configuration is, or would be made. */
  readonly config: string;
  /** Where the project's rules are, or would be made. */
  readonly rules: string;
  /** Where the project's `.mcp.json` is, or would be made. */
  readonly mcpJson: string;
  /** The AGENTS.md files that there are, the nearest to the root last. */
  readonly contextFiles: readonly string[];
  /** The folders with skills and other texts that there are, those nearest to the root first. */
  readonly textFolders: TextFolders;
}

/** Looks for the files of the project that a root belongs to. Reads none of them. */
export function projectFiles(root: string): ProjectFiles {
  const folder = realPath(resolve(root)) ?? resolve(root);
  const above = upwards(folder);
  const top = above.find((place) => existsSync(join(place, ".git"))) ?? folder;
  const folders = above.slice(0, above.indexOf(top) + 1).reverse();
  const nearest = (...names: string[]) =>
    folders.findLast((place) => names.some((name) => existsSync(join(place, name)))) ?? top;
  const [own, rules] = [".cogency/config.json", ".cogency/rules.json"];
  return {
    top,
    folders,
    place: nearest(own, rules, mcpJsonName),
    config: join(nearest(own), own),
    rules: join(nearest(rules), rules),
    mcpJson: join(nearest(mcpJsonName), mcpJsonName),
    contextFiles: folders.map((place) => join(place, "AGENTS.md")).filter((file) => existsSync(file)),
    textFolders: textFoldersIn(folders.toReversed()),
  };
}

/** As a person in the project calls a file of it. */
export function withinProject({ top }: Pick<ProjectFiles, "top">, file: string): string {
  return relative(top, file);
}

function upwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}
