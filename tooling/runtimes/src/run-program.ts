import { spawn } from "node:child_process";
import { type Executable, environmentOf } from "./executable.ts";
import { type Report, readReport } from "./report.ts";

/**
 * Runs the program in a new process and reads the report that it prints.
 *
 * @param site the folder of the program and the package
 * @param limit milliseconds until the process is killed
 */
export async function runProgram(
  executable: Executable,
  args: string[],
  site: string,
  limit = 60_000,
): Promise<Report> {
  const child = spawn(executable.file, args, {
    cwd: site,
    env: environmentOf(executable, site),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: limit,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) =>
    child.once("error", reject).once("close", (...end) => resolve(end)),
  );
  if (code !== 0) throw new Error(`The program ended with ${signal ?? `exit code ${code}`}.\n${stderr}`.trimEnd());
  return readReport(stdout);
}
