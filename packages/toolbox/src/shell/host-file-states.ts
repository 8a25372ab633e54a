import { stateOf } from "../files/calls/file-states.ts";
import type { Root } from "../files/confine/root.ts";
import { filesRunBy } from "./files-run.ts";
import { readScript } from "./script/read-script.ts";

/**
 * The state of each file that a command line names and may run, by real path: a digest of its content. Compare two of them to learn
 * whether the command would run something else now. What those files load in turn is not looked at.
 */
export async function fileStates(root: Root, command: string): Promise<ReadonlyMap<string, string>> {
  const files = (await filesRunBy(root, readScript(command), root.base)).sort();
  return new Map(await Promise.all(files.map(async (file) => [file, await stateOf(root, file)] as const)));
}
