import { ToolboxError, type ToolboxErrorCode } from "./errors.ts";

/** Does `work`. An error of the system becomes a ToolboxError about `path`. */
export async function onPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromSystem(error, path);
  }
}

/** Turns an error of the system into a ToolboxError about `path`. The cause keeps the original, which may name other paths. */
export function fromSystem(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  const [ours, problem] = meanings[code] ?? ["io_error", `cannot be used: the system reported ${code}`];
  return new ToolboxError(ours, path, `"${path}" ${problem}.`, { cause: error });
}

/** The code of an error of the operating system, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (error instanceof Error && "code" in error && "syscall" in error) return String(error.code);
  return undefined;
}

const accessDenied = ["permission_denied", "cannot be used: permission denied"] as const;
const pathChanged = ["path_changed", "changed while it was being used; try again"] as const;
const diskFull = ["io_error", "cannot be written: no room is left on the disk"] as const;

const meanings: Record<string, readonly [ToolboxErrorCode, string]> = {
  EACCES: accessDenied,
  EPERM: accessDenied,
  EROFS: accessDenied,
  ENOENT: pathChanged,
  ELOOP: pathChanged,
  ENOTDIR: pathChanged,
  EISDIR: ["not_a_file", "is a folder"],
  ENXIO: ["not_a_file", "is not a regular file"],
  ENAMETOOLONG: ["path_invalid", "is longer than a path can be"],
  ENOSPC: diskFull,
  EDQUOT: diskFull,
};
