import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { replaceFile, withLock } from "../../base/files/with-lock.ts";
import { isObject } from "../../base/is-object.ts";
import { oneLine } from "../../base/terminal/text.ts";

/**
 * Changes a file that holds one JSON object, or makes it. Another process that changes it waits.
 *
 * @param check throws for a text that must not be written
 * @throws UsageError for a file that holds something else, and what `by` and `check` throw: then the file stays as it is
 */
export async function changeJson(
  file: string,
  mode: number,
  check: (text: string) => void,
  by: (before: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  await withLock(file, async () => {
    const text = readRegularText(file);
    const before = text === undefined ? {} : parseJson(file, text);
    if (!isObject(before)) throw new UsageError(`${oneLine(file, 300)} has to be one JSON object.`);
    const written = `${JSON.stringify(by(before), undefined, 2)}\n`;
    check(written);
    await replaceFile(file, written, mode);
  });
}
