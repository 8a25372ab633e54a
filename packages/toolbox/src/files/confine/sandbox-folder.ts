import { lstat, mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { errorCode, fromSystem } from "../../system-error.ts";

export const sandboxPath = join(".cogency", "sandbox");

/**
 * Creates the sandbox folder of the project with the real path `project` unless it exists.
 *
 * @returns its real path, which is always below the project: a link in its place is refused
 * @throws ToolboxError `sandbox_invalid`, `permission_denied`, `io_error`
 */
export async function makeSandbox(project: string): Promise<string> {
  const home = join(project, ".cogency");
  const path = join(project, sandboxPath);
  try {
    if (await makeFolder(home, ".cogency")) await writeFile(join(home, ".gitignore"), "*\n", { flag: "wx" });
    await makeFolder(path, ".cogency/sandbox");
    if ((await realpath(path)) !== path) throw notAFolder(".cogency");
    return path;
  } catch (error) {
    throw fromSystem(error, ".cogency/sandbox");
  }
}

/** @returns whether it was missing */
async function makeFolder(path: string, shown: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  if (!(await lstat(path)).isDirectory()) throw notAFolder(shown);
  return false;
}

function notAFolder(shown: string): ToolboxError {
  const problem = `The sandbox cannot be used: "${shown}" in the root folder is a link or a file, not a folder.`;
  return new ToolboxError("sandbox_invalid", shown, `${problem} Remove it, or choose the access "project".`);
}
