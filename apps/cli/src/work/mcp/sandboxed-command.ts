interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts a program through this command, which runs it in a sandbox: its files are those below its folder, and it has no network. Where
 * there is no sandbox, it does not start.
 */
export function sandboxedCommand({ command, args, ...launch }: Launch): Launch {
  return { ...launch, command: process.execPath, args: [process.argv[1] ?? "", "_sandboxed", "--", command, ...args] };
}
