import type { Key } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";

export const secret = "the secret of this installation, long enough";
export const stranger = "the secret of somebody else, long enough too";
export const ring = createKeyRing([secret]);
export const foreign = createKeyRing([stranger]);
export const home: Key = { conversation: "c", user: "ada" };
