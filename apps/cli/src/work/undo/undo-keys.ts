import type { KeyRing } from "@cogency/tools";
import { installationKeys } from "../../place/installation-keys.ts";

/** The keys of this installation for the journal of changes. They are read when a line is signed or looked at. */
export const undoKeys: KeyRing = {
  sign: async (statement) => (await ring()).sign(statement),
  verify: async (statement, proof) => (await ring()).verify(statement, proof),
};

let opened: Promise<KeyRing> | undefined;

function ring(): Promise<KeyRing> {
  opened ??= installationKeys();
  return opened;
}
