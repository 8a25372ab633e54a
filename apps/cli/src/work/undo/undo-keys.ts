import type { KeyRing } from "@cogency/tools";
import { configurationFolder } from "../../base/configuration-folder.ts";
import { installationKeys } from "../../place/installation-keys.ts";

/** The keys of this installation for the journal of changes. They are read when a line is signed or looked at. */
export const undoKeys: KeyRing = {
  sign: async (statement) => (await ring()).sign(statement),
  verify: async (statement, proof) => (await ring()).verify(statement, proof),
};

/** By the folder that they are kept in. */
const opened = new Map<string, Promise<KeyRing>>();

function ring(): Promise<KeyRing> {
  const folder = configurationFolder();
  const keys = opened.get(folder) ?? installationKeys(folder);
  opened.set(folder, keys);
  return keys;
}
