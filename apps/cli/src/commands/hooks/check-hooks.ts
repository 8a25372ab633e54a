import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { isObject } from "../../base/is-object.ts";
import { configOf, userConfigFile } from "../../place/config/config-file.ts";
import { projectFiles } from "../../place/config/project.ts";
import { hooksProblems } from "../../place/hooks/hooks-problems.ts";
import { printFaults } from "../lists/print-faults.ts";

/**
 * `cogency hooks check`: every fault of the hooks in configuration files, and what to write instead. Nothing is run.
 *
 * @param named the files of the person and of the project if empty
 * @returns the exit code: 1 if something is wrong
 * @throws UsageError for a file that there is not
 */
export async function checkHooks(named: readonly string[], root: string): Promise<number> {
  const files = named.length > 0 ? named : [userConfigFile(), projectFiles(root).config];
  return printFaults("hook", files, async (file) => {
    const text = readRegularText(file);
    if (text === undefined && named.length > 0) throw new UsageError(`There is no file ${file}.`);
    const { count, problems } = text === undefined ? { count: 0, problems: [] } : faultsOf(file, text);
    return { valid: Math.max(0, count - problems.length), faults: problems.map((problem) => `${file}: ${problem}`) };
  });
}

function faultsOf(file: string, text: string): { count: number; problems: readonly string[] } {
  try {
    const content = parseJson(file, text);
    const hooks = isObject(content) ? content.hooks : undefined;
    const problems = hooksProblems(hooks);
    if (problems.length === 0) configOf(file, text);
    return { count: Array.isArray(hooks) ? hooks.length : 0, problems };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { count: 0, problems: [error.message.replace(`${file}: `, "")] };
  }
}
