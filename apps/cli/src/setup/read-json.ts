import { readFile } from "node:fs/promises";
import { UsageError } from "../errors/usage-error.ts";
import { oneLine } from "../terminal/text.ts";

/** @param what what the file holds, for the error @throws UsageError if it cannot be read or is no JSON */
export async function readJson(what: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${what} cannot be read from ${file}: ${oneLine(reason, 200)}`, { cause });
  }
}
