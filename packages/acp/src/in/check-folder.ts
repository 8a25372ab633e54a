import { named, refusal } from "../connection/refusal.ts";
import { isAbsolute } from "./paths.ts";

/** @throws RequestError for what is no absolute path of a folder */
export function checkFolder(folder: string): void {
  if (isAbsolute(folder) && !folder.includes("\0") && folder.length <= longest) return;
  throw refusal("params", `A folder is an absolute path of at most ${longest} characters, not ${named(folder)}.`);
}

const longest = 4096;
