import { delimiter, join } from "node:path";
import type { Root } from "../../files/confine/root.ts";
import { findProgram, programFolders, realPath, systemPath } from "../../sandbox/find-program.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment of a command: listed variables of this process, and the host's own, which take precedence.
 *
 * The PATH keeps only absolute folders outside the root: a file that the model wrote must not run under the name of a program
 * that a rule allows. A PATH that the host gives is not changed.
 */
export function commandEnvironment(
  root: Root,
  extra: Variables = {},
  source: Variables = process.env,
): NodeJS.ProcessEnv {
  const passed = Object.entries(source).filter(([name]) => passedOn.has(name) || /^LC_[A-Z]+$/.test(name));
  const path = programFolders(source.PATH ?? "", root).join(delimiter) || systemPath;
  return { ...Object.fromEntries(passed), PATH: path, ...gitEnvironment, ...extra };
}

/** The path of a shell by its name: the first on the PATH that is not in the root, else that of the system. */
export function shellOf(name: string, root: Root, { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const folders = [...programFolders(PATH, root), ...systemPath.split(delimiter)];
  const folder = folders.find((each) => findProgram(name, [each]) !== undefined);
  // Only the folder is resolved: a program may go by its name.
  return folder === undefined ? undefined : join(realPath(folder), name);
}

const passedOn = new Set(["HOME", "LANG", "LANGUAGE", "LOGNAME", "TERM", "TMPDIR", "TZ", "USER"]);

// Git treats any folder with HEAD, objects and refs as a repository and obeys its settings. A model that may not write in
// .git could otherwise make a repository of plain files.
const gitEnvironment = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.bareRepository",
  GIT_CONFIG_VALUE_0: "explicit",
};
