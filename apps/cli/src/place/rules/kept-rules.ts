import { homedir } from "node:os";
import { join } from "node:path";
import { configurationFolder } from "../../base/configuration-folder.ts";
import { messageOf } from "../../base/errors/message-of.ts";
import { fileVersion } from "../../base/files/file-version.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { replaceFile, withLock } from "../../base/files/with-lock.ts";
import { isObject } from "../../base/is-object.ts";
import { noteOnce } from "../../base/terminal/note.ts";
import type { Project } from "../config/open-project.ts";
import type { RuleSurroundings } from "./allow-rules.ts";
import { readRuleFile, ruleFileOf } from "./rule-file.ts";
import type { Rules } from "./rules.ts";
import { type PlacedRules, usableRules } from "./usable-rules.ts";

/** The rules of files, and where those are kept that a person chooses instead of a single yes. */
export interface KeptRules {
  /** Those that count now: the same object until the user's file changes. Another process may add a rule at any time. */
  now(): Rules;
  /** Where they are kept, as a person may open it. */
  readonly file: string;
  /** Resolves when the rule is in the file. */
  add(rule: string): Promise<void>;
  /** Those that count now by their file, without the ones that never match. Absent where their places are not known. */
  placed?(): readonly PlacedRules[];
}

/** With where each of them stands. */
export type FileRules = KeptRules & Required<Pick<KeptRules, "placed">>;

/** The user's rules: everywhere, and by folder. */
export function userRuleFile(): string {
  return join(configurationFolder(), "rules.json");
}

/**
 * Collects the rules that count in a folder: the user's, everywhere and for this folder, and those of the project if it is
 * trusted. Says on stderr which of them can never match. A rule that a person chooses goes into the user's file, for this folder.
 *
 * The user's file is read again when it has changed. A file that cannot be read any more changes nothing: the rules before it still
 * count. The rules of the project stay those that a person trusted at the start.
 *
 * @throws UsageError for a file that holds something else
 */
export function keptRules(
  project: Pick<Project, "rules" | "readRules">,
  surroundings: RuleSurroundings,
  tell: (text: string) => void = noteOnce,
): FileRules {
  const file = userRuleFile();
  const ofProject = { file: shownFile(project.rules), rules: project.readRules() ?? {} };
  const read = () => {
    const placed = [...userRules(file, surroundings.base), ofProject];
    return { placed, rules: usableRules(placed, surroundings, tell) };
  };
  let version = fileVersion(file);
  let last = read();
  const now = () => {
    const found = fileVersion(file);
    if (found === version) return last;
    version = found;
    try {
      last = read();
    } catch (error) {
      tell(`${messageOf(error as Error)} Until that is mended, the rules that it held before count.`);
    }
    return last;
  };
  return {
    now: () => now().rules,
    placed() {
      const { placed, rules } = now();
      return placed.map(({ file: place, rules: own }) => ({ file: place, rules: common(own, rules) }));
    },
    file: shownFile(file),
    add: (rule) => addRule(file, surroundings.base, rule),
  };
}

/** Those that count everywhere, and those of a folder. */
function userRules(file: string, folder: string): PlacedRules[] {
  const user = readRuleFile(file, true) ?? {};
  const own = user.folders && Object.hasOwn(user.folders, folder) ? user.folders[folder] : undefined;
  return [user, own ?? {}].map((rules) => ({ file: shownFile(file), rules }));
}

/** Of the rules of one place, those that are in use. */
function common(own: Rules, used: Required<Rules>): Rules {
  const of = (list: "allow" | "ask" | "deny") => own[list]?.filter((rule) => used[list]?.includes(rule)) ?? [];
  return { allow: of("allow"), ask: of("ask"), deny: of("deny") };
}

/** Adds a rule to those of a folder in the user's file. Another process may add one at the same time. */
export async function addRule(file: string, folder: string, rule: string): Promise<void> {
  await withLock(file, async () => {
    const text = readRegularText(file) ?? "{}";
    const { folders = {} } = ruleFileOf(file, text, true);
    const before: Rules = Object.hasOwn(folders, folder) ? (folders[folder] ?? {}) : {};
    const own = { ...before, allow: [...new Set([...(before.allow ?? []), rule])] };
    const content = parseJson(file, text);
    const after = { ...(isObject(content) ? content : {}), folders: { ...folders, [folder]: own } };
    await replaceFile(file, `${JSON.stringify(after, undefined, 2)}\n`, 0o600);
  });
}

/** With `~` for the home folder. */
function shownFile(file: string): string {
  return file.startsWith(`${homedir()}/`) ? `~${file.slice(homedir().length)}` : file;
}
