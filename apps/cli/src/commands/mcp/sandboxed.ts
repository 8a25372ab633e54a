import { openRoot } from "@cogency/toolbox";
import { sandboxedProgram } from "@cogency/toolbox/shell";
import type { Cancellation } from "../../base/cancellation.ts";
import { madeOwnPaths } from "../../place/own-paths.ts";
import { defaultStore } from "../../place/store/store-path.ts";

/** `cogency _sandboxed`: a server, in the current folder, with the streams and the environment of this process. @returns its exit code */
export async function sandboxed(
  [command = "", ...args]: readonly string[],
  cancellation: Cancellation,
): Promise<number> {
  const root = await openRoot(".", { access: "project", guarded: madeOwnPaths(defaultStore()) });
  return cancellation.during((signal) => sandboxedProgram(root, { command, args, env: process.env, signal }));
}
