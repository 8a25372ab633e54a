import { StoreError } from "@cogency/storage";

/** The error for content of the file that is not what was stored. */
export function damaged(path: string, problem: string): StoreError {
  return new StoreError("corrupt", `${path} is damaged: ${problem}. Restore a backup.`);
}
