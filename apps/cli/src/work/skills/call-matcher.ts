import type { ToolCall } from "@cogency/protocol";
import { ShellError, shellRule } from "@cogency/toolbox/shell";

/**
 * Whether a call of `shell` is one that a skill names as `git:*`, `git *` or `npm test`: each command of its script must be. It narrows
 * what the rules of the person let run, so it says nothing about the sandbox or the network of the call. What it cannot compare is no
 * such call.
 */
export function matchesSkill({ name, args }: ToolCall, calls: string): boolean {
  if (name !== "shell") return false;
  const pattern = calls.replace(/(?::|\s+)\*+$/, " **");
  try {
    return shellRule([pattern], { isolated: true })({ name, args: { command: args.command ?? "" } }) !== "ask";
  } catch (error) {
    if (error instanceof ShellError) return false;
    throw error;
  }
}
