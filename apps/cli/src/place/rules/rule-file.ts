import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { isObject } from "../../base/is-object.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { unknownKey } from "../config/config-problem.ts";
import type { Rules } from "./rules.ts";

/** The rules of a file: everywhere, and in folders by their real path. Only the user's file has folders. */
export interface RuleFile extends Rules {
  readonly folders?: { readonly [folder: string]: Rules };
}

/** @returns undefined if there is no such file @throws UsageError with the file and what is wrong in it */
export function readRuleFile(file: string, mayHaveFolders: boolean): RuleFile | undefined {
  const text = readRegularText(file);
  return text === undefined ? undefined : ruleFileOf(file, text, mayHaveFolders);
}

/** @throws UsageError as `readRuleFile` does */
export function ruleFileOf(file: string, text: string, mayHaveFolders: boolean): RuleFile {
  const content = parseJson(file, text);
  const problem = ruleFileProblem(content, mayHaveFolders);
  if (problem !== undefined) throw new UsageError(`${oneLine(file, 300)}: ${oneLine(problem, 400)}`);
  return content as RuleFile;
}

function ruleFileProblem(content: unknown, mayHaveFolders: boolean): string | undefined {
  if (!isObject(content)) return "it has to be one JSON object.";
  const { folders = {}, ...rules } = content;
  const names = [...lists, ...(mayHaveFolders ? ["folders"] : [])];
  if (!mayHaveFolders && content.folders !== undefined) return unknownKey("", "folders", names);
  if (!isObject(folders)) return "folders has to be an object.";
  const inFolders = Object.entries(folders).map(([folder, own]) => [`folders["${folder}"].`, own] as const);
  const all = [["", rules] as const, ...inFolders];
  for (const [path, own] of all) {
    const problem = isObject(own) ? listsProblem(own, path, names) : `${path} has to be an object.`;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const lists = ["allow", "ask", "deny"];

function listsProblem(rules: object, path: string, names: readonly string[]): string | undefined {
  for (const [name, list] of Object.entries(rules)) {
    if (!lists.includes(name)) return unknownKey(path, name, names);
    if (!Array.isArray(list) || !list.every((rule) => typeof rule === "string"))
      return `${path}${name} has to be a list of texts, such as ["shell:git status"].`;
  }
  return undefined;
}
