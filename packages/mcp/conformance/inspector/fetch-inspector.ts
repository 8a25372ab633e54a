import { execFile } from "node:child_process";
import { execPath } from "node:process";
import { promisify } from "node:util";

/** How one start of the Inspector ended. */
export interface Inspection {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Has npm fetch the Inspector, once. It is 24 MB that nobody else needs, so it is no dependency.
 *
 * @param folder the home of npm and of the Inspector, and the folder in which it works
 */
export async function fetchInspector(folder: string): Promise<(args: readonly string[]) => Promise<Inspection>> {
  // npm gets the whole environment, which may say how the registry is reached.
  const fetched = { cwd: folder, env: { ...process.env, HOME: folder } };
  const fetching = ["--yes", "--package", "@modelcontextprotocol/inspector@2.12.0", "-c", "command -v mcp-inspector"];
  const { stdout } = await promisify(execFile)("npx", fetching, fetched);
  const program = stdout.trim();
  const surroundings = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } };
  return (args) =>
    new Promise((resolve) => {
      const options = { ...surroundings, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };
      execFile(execPath, [program, "--cli", ...args], options, (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ code, stdout: out, stderr: err });
      });
    });
}
