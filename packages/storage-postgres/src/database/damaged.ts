import { StoreError } from "@cogency/storage";

/** The error for content of the schema that is not what was stored. */
export function damaged(location: string, problem: string): StoreError {
  return new StoreError("corrupt", `${location} is damaged: ${problem}. Restore a backup.`);
}
