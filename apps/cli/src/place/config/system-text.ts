import { UsageError } from "../../base/errors/usage-error.ts";
import { type FileLimits, readRegularText } from "../../base/files/read-regular-file.ts";
import { oneLine } from "../../base/terminal/text.ts";

/**
 * The text that `--system` gives: itself, or what the file behind an `@` holds.
 *
 * @throws UsageError if that cannot be read
 */
export function systemText(given: string, limits?: FileLimits): string {
  if (!given.startsWith("@")) return given;
  const file = given.slice(1);
  const text = readRegularText(file, limits);
  if (text !== undefined) return text.trim();
  throw new UsageError(`--system: there is no file ${oneLine(file, 300)}.`);
}
