import type { WakeScope } from "@cogency/storage/adapter";
import { sha256 } from "./names.ts";

/** A scope in the form of the tables: the hash of its JSON text, which is `null` for no scope. */
export function scopeKey(scope: WakeScope): Buffer {
  return sha256(JSON.stringify(scope ?? null));
}
