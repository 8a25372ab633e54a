import { UsageError } from "../errors/usage-error.ts";
import { oneLine } from "../terminal/text.ts";
import { parseJson } from "./parse-json.ts";
import { type FileLimits, readRegularText } from "./read-regular-file.ts";

/** @param what what the file holds, for the error @throws UsageError if it cannot be read or is no JSON */
export function readJson(what: string, file: string, limits: FileLimits = {}): unknown {
  try {
    const text = readRegularText(file, { most: mostBytes, ...limits });
    if (text !== undefined) return parseJson(file, text);
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause;
    throw new UsageError(`${what} cannot be used: ${cause.message}`, { cause });
  }
  throw new UsageError(`${what} cannot be read from ${oneLine(file, 300)}: there is no such file.`);
}

/** Lists of prices are long. */
const mostBytes = 16 * 1_048_576;
