import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

/** Characters of output that are kept; of more, the beginning is left out. */
const most = 50_000;

/**
 * Runs a command line that the person typed, with the person's own shell and rights, without input.
 *
 * @returns what it printed, and how it ended
 */
export function ownCommand(
  line: string,
  folder: string,
  signal: AbortSignal,
): Promise<{ output: string; ended: string }> {
  const shell = process.env.SHELL || "/bin/sh";
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(shell, ["-c", line], { cwd: folder, stdio: ["ignore", "pipe", "pipe"], signal });
    const read = (chunk: string) => {
      output = (output + chunk).slice(-most);
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.on("error", (error) => resolve({ output: clean(output), ended: error.message }));
    child.on("close", (code, by) =>
      resolve({ output: clean(output), ended: by ? `ended by ${by}` : `exit code ${code}` }),
    );
  });
}

function clean(output: string): string {
  return stripVTControlCharacters(output).trimEnd();
}
