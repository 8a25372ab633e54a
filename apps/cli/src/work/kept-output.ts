import { redactSecrets } from "@cogency/storage";
import { type KeptOutput, openKeptOutput } from "@cogency/toolbox/shell";
import { storeFolder } from "../place/store/store-folder.ts";

/**
 * Where the whole output of commands is kept: beside the store, or for a store in memory in this process.
 *
 * @param isRedacted whether what looks like a secret stays out of it, as out of the store
 */
export function keptOutput(place: string, isRedacted: boolean | undefined): KeptOutput {
  return openKeptOutput({ folder: storeFolder(place, "outputs"), ...(isRedacted && { redact: redactSecrets }) });
}
