import { delimiter, isAbsolute, normalize } from "node:path";
import { isInside, type Root } from "../files/root.ts";

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
  const passed = Object.entries(source).filter(([name]) => ALLOWED.has(name) || /^LC_[A-Z]+$/.test(name));
  return { ...Object.fromEntries(passed), PATH: outsideOf(root, source.PATH ?? ""), ...extra };
}

const ALLOWED = new Set(["HOME", "LANG", "LANGUAGE", "LOGNAME", "TERM", "TMPDIR", "TZ", "USER"]);

function outsideOf({ base, given }: Root, path: string): string {
  const isOutside = (folder: string) => ![base, given].some((root) => isInside(root, normalize(folder)));
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && isOutside(folder));
  return folders.join(delimiter) || "/usr/local/bin:/usr/bin:/bin";
}
