import { gateName } from "../../sandbox/start-gate.ts";
import type { Launch } from "./run-command.ts";

/**
 * Lets a program outside of a sandbox end with this process, also when that is killed: a process in the group of the program waits for
 * the end of a pipe that this process holds, and then kills the group. Processes that the program has started in sessions of their own
 * outlive it in this one case.
 */
export function endingWithOwner({ file, args, ...launch }: Launch): Launch {
  return {
    ...launch,
    file: "/bin/sh",
    args: ["-c", keeper, gateName, file, ...args],
    inputs: [(pipe) => void pipe.on("error", () => {}).resume()],
  };
}

/**
 * `$$` is the shell and then the program, which takes its place and leads the group. What waits is no child of the program, which may
 * wait for all of its children.
 */
const keeper = `({ read -r cogency_end <&3; kill -9 -$$; } >/dev/null 2>&1 &); exec "$@" 3<&-`;
