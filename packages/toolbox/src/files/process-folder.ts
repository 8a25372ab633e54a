import { ToolboxError } from "../errors.ts";

/**
 * Linux shows the environment and the memory of processes as files, keys included: no root makes them readable.
 *
 * @throws ToolboxError `permission_denied` if the real path is in the folder of a process
 */
export function refuseProcessFolder(real: string, shown: string): void {
  if (!PROCESS_FOLDER.test(real)) return;
  const problem = "belongs to a running process, whose environment and memory are not given";
  throw new ToolboxError("permission_denied", shown, `"${shown}" ${problem}.`);
}

const PROCESS_FOLDER = /^\/proc\/(?:\d+|self|thread-self)(?:\/|$)/;
