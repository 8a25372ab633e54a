import { ShellError } from "../../src/shell/errors.ts";

/** How a command ended and what it printed, whether its call failed or not. */
export interface Ending {
  exitCode?: number;
  signal?: string;
  stdout: string;
  stderr: string;
  truncated?: { stdout?: number; stderr?: number };
}

/** Waits for a call of `shell` and returns how the command ended, also if it failed. Throws other errors of the tool. */
export async function endingOf(call: Promise<unknown>): Promise<Ending> {
  try {
    return (await call) as Ending;
  } catch (error) {
    if (!(error instanceof ShellError) || error.code !== "command_failed") throw error;
    const { exitCode, signal, stdout = "", stderr = "" } = error;
    return {
      ...(exitCode !== undefined && { exitCode }),
      ...(signal !== undefined && { signal }),
      stdout,
      stderr,
    };
  }
}
