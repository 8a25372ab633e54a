import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** One setting in a configuration file of git. */
export interface GitSetting {
  /** Lower case, except for the quoted part of its section: `core.hookspath`, `filter.LFS.clean`. */
  readonly key: string;
  /** As git reads it, without quotes and comments. Undefined for a key without a value, which means true. */
  readonly value: string | undefined;
}

/** The settings of a file and of all files that it includes. */
export interface GitSettings {
  readonly settings: readonly GitSetting[];
  /** Absolute paths of the included files, whatever the condition. They need not exist. */
  readonly included: readonly string[];
  /** False if some settings could not be read: a file is too large or not regular, or there are too many files. */
  readonly isWhole: boolean;
}

/**
 * Reads settings without git, which would obey them. A missing file has none.
 *
 * @param file an absolute path
 */
export async function readGitSettings(file: string): Promise<GitSettings> {
  const settings: GitSetting[] = [];
  const included: string[] = [];
  const open = [file];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const text = await settingsText(path);
    if (text === undefined) return { settings, included, isWhole: false };
    const own = parseGitConfig(text);
    settings.push(...own);
    for (const { key, value } of own) {
      if (!/^include(?:if\..*)?\.path$/s.test(key) || !value) continue;
      const place = resolve(dirname(path), inHome(value));
      if (included.includes(place) || place === file) continue;
      included.push(place);
      open.push(place);
      if (included.length > mostIncluded) return { settings, included, isWhole: false };
    }
  }
  return { settings, included, isWhole: true };
}

const mostIncluded = 50;

/** Resolves `~/` at the start of a path in a setting. */
export function inHome(path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}

/** The files of the machine's and the user's settings, which apply to all repositories. */
export function sharedSettings(): string[] {
  const home = homedir();
  const { XDG_CONFIG_HOME: configured } = process.env;
  const folder = configured?.startsWith("/") ? configured : join(home, ".config");
  return ["/etc/gitconfig", join(folder, "git", "config"), join(home, ".gitconfig")];
}

/**
 * The settings in a text, in their order. A line that git would refuse is skipped instead of failing, because the file may be
 * repaired later.
 */
export function parseGitConfig(text: string): GitSetting[] {
  const settings: GitSetting[] = [];
  const source = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  let section = "";
  let at = 0;
  const named = (key: string) => (section === "" ? "" : `${section}.`) + key.toLowerCase();
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at < source.length) {
    if (take(blankOrComment)) continue;
    const head = take(sectionHead);
    if (head) {
      const [, name = "", quoted] = head;
      section = name.toLowerCase() + (quoted === undefined ? "" : `.${quoted.replace(/\\(.)/gs, "$1")}`);
      continue;
    }
    const key = take(variableName);
    if (key && take(/[ \t]*=/y)) {
      const value = valueAt(source, at);
      at = value.end;
      settings.push({ key: named(key[0]), value: value.text });
    } else if (key && take(/[ \t]*(?=\n|$)/y)) {
      settings.push({ key: named(key[0]), value: undefined });
    } else take(/[^\n]*/y);
  }
  return settings;
}

const blankOrComment = /\s+|[#;][^\n]*/y;
const sectionHead = /\[([A-Za-z\d.-]*)(?:[ \t]+"((?:\\[^\n]|[^"\\\n])*)")?[ \t]*\]/y;
const variableName = /[A-Za-z][A-Za-z\d-]*/y;

/** A value ends with its line, unless a backslash precedes the line end. A comment outside quotes ends it, too. */
function valueAt(source: string, from: number): { text: string; end: number } {
  let text = "";
  // The length without trailing blanks, except for blanks that are quoted or escaped.
  let length = 0;
  let isQuoted = false;
  let at = from;
  for (; at < source.length && source[at] !== "\n"; at += 1) {
    const character = source[at] ?? "";
    if (character === '"') {
      isQuoted = !isQuoted;
      length = text.length;
    } else if (!isQuoted && /[#;]/.test(character)) {
      const end = source.indexOf("\n", at);
      return { text: text.slice(0, length), end: end === -1 ? source.length : end };
    } else if (character === "\\") {
      at += 1;
      length = text.length;
      const escaped = source[at] ?? "";
      if (escaped === "\n") continue;
      text += { n: "\n", t: "\t", b: "\b" }[escaped] ?? escaped;
      length = text.length;
    } else if (isQuoted || !/\s/.test(character)) {
      text += character;
      length = text.length;
    } else if (text !== "") text += character;
  }
  return { text: text.slice(0, length), end: at };
}

/** Undefined if the file cannot be read as a whole. It waits for no pipe and reads no huge file. */
async function settingsText(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return "";
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) return "";
    if (!stats.isFile() || stats.size > mostBytes) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(stats.size + 1), 0, stats.size + 1, 0);
    return bytesRead > stats.size ? undefined : buffer.toString("utf8", 0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

const mostBytes = 1024 * 1024;
