import { delimiter } from "node:path";
import type { Root } from "../../files/confine/root.ts";
import { programFolders, systemPath } from "../../sandbox/find-program.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What a command gets to know of the environment: a closed list, and what the host adds or overrides by name.
 *
 * Of the PATH only absolute folders outside the one where commands run are left: a file that the model wrote there must not
 * answer to the name of a program that a rule allows. A PATH that the host gives is taken as it is.
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

const passedOn = new Set(["HOME", "LANG", "LANGUAGE", "LOGNAME", "TERM", "TMPDIR", "TZ", "USER"]);

// Git takes any folder with HEAD, objects and refs for a repository and obeys the settings in it: a model that may not
// write in .git could make one of its own.
const gitEnvironment = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.bareRepository",
  GIT_CONFIG_VALUE_0: "explicit",
};
