import { statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** Whether a program is there: a path from the folder where it runs, or a name on the PATH. On Windows nothing is looked up. */
export function isProgram(command: string, cwd: string, path = ""): boolean {
  if (process.platform === "win32") return true;
  if (command.includes("/")) return isExecutable(resolve(cwd, command));
  return path.split(delimiter).some((folder) => folder !== "" && isExecutable(join(folder, command)));
}

function isExecutable(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}
