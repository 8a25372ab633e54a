import { sandboxFiles } from "./mounts/plan-mounts.ts";

/**
 * Lets a command start only while this process lives. bubblewrap waits for a byte, but starts the command also at the end of the
 * pipe, which comes when this process is killed; and until then nothing has asked the kernel to end the sandbox with it. The command
 * that it left would run on.
 */
export interface StartGate {
  /** Arguments of bubblewrap. */
  readonly mounts: readonly string[];
  /** The words before the command. */
  readonly command: readonly string[];
}

export function startGate(): StartGate {
  const starter = `${sandboxFiles}/starter`;
  // The kernel counts no pages of a process that is ending, and reads nothing of one that is gone. Both come before the pipe ends.
  // Variables of these names are lost to the command.
  const [pages, rest] = ["cogency_starter_pages", "cogency_starter_rest"];
  const check = `read -r ${pages} ${rest} < ${starter} && [ "$${pages}" != 0 ] && unset ${pages} ${rest} OLDPWD && exec "$@"`;
  return {
    mounts: ["--ro-bind", `/proc/${process.pid}/statm`, starter],
    command: ["/bin/sh", "-c", check, gateName],
  };
}

/** How a shell that starts a program names itself in its messages. */
export const gateName = "cogency-start";

/** The system's error code in the gate's message that it could not start the program; undefined if it is none. */
export function gateErrorIn(exitCode: number | null, stderr: string): string | undefined {
  const isOwn =
    stderr !== "" &&
    stderr
      .trimEnd()
      .split("\n")
      .every((line) => line.startsWith(`${gateName}: `));
  if (!isOwn || (exitCode !== 126 && exitCode !== 127)) return undefined;
  if (/not found|No such file or directory|Not a directory/.test(stderr)) return "ENOENT";
  return /Permission denied|Is a directory/.test(stderr) ? "EACCES" : "EIO";
}
