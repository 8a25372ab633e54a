import { StoreError } from "@cogency/storage";

/** What a reader is told when the content of the file is not what was stored. */
export function damaged(path: string, problem: string): StoreError {
  return new StoreError("corrupt", `${path} is damaged: ${problem}. Restore a backup.`);
}
