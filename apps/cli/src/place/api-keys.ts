import { join } from "node:path";
import { configurationFolder } from "../base/configuration-folder.ts";
import { keepSecret } from "../base/errors/redacted.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { readPrivateFile } from "../base/files/private-file.ts";
import { replaceFile, withLock } from "../base/files/with-lock.ts";
import { isObject } from "../base/is-object.ts";
import { note } from "../base/terminal/note.ts";
import { oneLine } from "../base/terminal/text.ts";

/** The file of the user's keys of servers, by the names of the variables that they stand for. */
export function apiKeyFile(): string {
  return join(configurationFolder(), "api-keys.json");
}

/**
 * Reads the keys. From now on errors do not show them.
 *
 * @throws UsageError if another user can read or write the file, or if it holds something else
 */
export async function readApiKeys(): Promise<Readonly<Record<string, string>>> {
  const file = apiKeyFile();
  // Where no folder can be made, as in a home that is read-only, nothing is kept.
  const text = await readPrivateFile(file, refused).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR" || error.code === "EACCES") return undefined;
    throw error;
  });
  if (text === undefined) return {};
  const content = parsedKeys(file, text);
  if (!isObject(content) || !Object.values(content).every((key) => typeof key === "string"))
    throw refused(file, 'it is not made of names and keys, as {"MY_KEY": "…"}', "Remove it, and set the keys again.");
  keepSecret(Object.values(content) as string[]);
  return content as Record<string, string>;
}

/** Keeps a key that a person has given, and says where. @throws UsageError for what is no key */
export async function keepTypedKey(name: string, typed: string | undefined): Promise<void> {
  const key = typed?.trim() ?? "";
  if (key === "") throw new UsageError("No key was given, so nothing is kept.");
  if (/\s/.test(key)) throw new UsageError("A key is one word, so nothing is kept.");
  await keepApiKey(name, key);
  note(`${name} is kept in ${apiKeyFile()}, which only you can read.`);
}

/** Keeps a key, or removes it. @returns whether there was one of this name @throws UsageError as `readApiKeys` does */
export async function keepApiKey(name: string, key: string | undefined): Promise<boolean> {
  const file = apiKeyFile();
  return withLock(file, async () => {
    const { [name]: before, ...rest } = await readApiKeys();
    const after = key === undefined ? rest : { ...rest, [name]: key };
    await replaceFile(file, `${JSON.stringify(after, undefined, 2)}\n`, 0o600);
    return before !== undefined;
  });
}

/** Errors of JSON quote the text, which holds keys. */
function parsedKeys(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused(file, "it is not JSON", "Remove it, and set the keys again.");
  }
}

function refused(path: string, problem: string, advice: string): UsageError {
  return new UsageError(`The keys cannot be used: ${oneLine(path, 300)}: ${problem}. ${advice}`);
}
