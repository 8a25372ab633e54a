import { redactSecrets } from "@cogency/storage";
import type { ServerEntry } from "./server-entry.ts";
import { textsOf } from "./variables.ts";

/** Whether the entry of a server holds what looks like a key, and not the variable that does. */
export function holdsSecret(entry: ServerEntry): boolean {
  return textsOf(entry).some((text) => redactSecrets(text) !== text);
}
