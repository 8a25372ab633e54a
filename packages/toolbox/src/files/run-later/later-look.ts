import { realpath } from "node:fs/promises";
import { namedGitFolders } from "../confine/git-folder.ts";
import { type GitSettings, readGitSettings } from "./git-config.ts";

/** What the disk says about links and settings of git. Each question is asked once, so that many files cost little more than one. */
export class LaterLook {
  readonly #reals = new Map<string, Promise<string>>();
  readonly #settings = new Map<string, Promise<GitSettings>>();
  readonly #folders = new Map<string, Promise<string[]>>();

  /** The real path, or the path itself if there is none. */
  real(path: string): Promise<string> {
    return once(this.#reals, path, () => realpath(path).catch(() => path));
  }

  settings(file: string): Promise<GitSettings> {
    return once(this.#settings, file, () => readGitSettings(file));
  }

  gitFolders(folder: string): Promise<string[]> {
    return once(this.#folders, folder, () => namedGitFolders(folder));
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const asked = known.get(key) ?? ask();
  known.set(key, asked);
  return asked;
}
