import type { Launch } from "@cogency/mcp/node";

/**
 * Starts a program through this command, which runs it in a sandbox: its files are those below its folder, and it has no network. Where
 * there is no sandbox, it does not start.
 */
export function sandboxedCommand({ command, args, ...launch }: Launch): Launch {
  return { ...launch, command: process.execPath, args: [process.argv[1] ?? "", "_sandboxed", "--", command, ...args] };
}
