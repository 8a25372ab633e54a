import { CommanderError } from "commander";
import type { Cancellation } from "./cancellation.ts";
import { complain } from "./errors/complain.ts";
import { exitCodeOfError, exitCodes } from "./errors/exit-code.ts";
import { createProgram } from "./program/program.ts";

/** Carries out one command line. @param args without the name of the program @returns the exit code */
export async function cli(args: readonly string[], cancellation: Cancellation): Promise<number> {
  let code: number = exitCodes.done;
  try {
    await createProgram(cancellation, (exit) => {
      code = exit;
    }).parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // Commander has already printed the mistake, or its help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    complain(error);
    return exitCodeOfError(error);
  }
}
