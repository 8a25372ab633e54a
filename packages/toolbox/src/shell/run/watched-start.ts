import { gateName } from "../../sandbox/start-gate.ts";
import type { Launch } from "./run-command.ts";

/**
 * Lets a program outside of a sandbox begin only when `endWithOwner` knows it: a shell waits for a line, and begins nothing at the end
 * of the pipe, which comes if this process is killed before.
 */
export function watchedStart({ file, args, ...launch }: Launch): Launch {
  const gate = 'read -r cogency_begin <&3 && exec "$@" 3<&-';
  return { ...launch, file: "/bin/sh", args: ["-c", gate, gateName, file, ...args], inputs: [Buffer.from("\n")] };
}
