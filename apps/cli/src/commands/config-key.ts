import { text } from "node:stream/consumers";
import { UsageError } from "../base/errors/usage-error.ts";
import { hiddenLine } from "../base/terminal/asked-line.ts";
import { note } from "../base/terminal/note.ts";
import { put } from "../base/terminal/output.ts";
import { visible } from "../base/terminal/text.ts";
import { apiKeyFile, keepApiKey, keepTypedKey, readApiKeys } from "../place/api-keys.ts";

/** `cogency config key set`. @throws UsageError for a name that no variable can have, and without a key */
export async function setKey(name: string): Promise<void> {
  checkName(name);
  const terminal = { input: process.stdin, output: process.stderr };
  await keepTypedKey(name, process.stdin.isTTY ? await hiddenLine(`${name}: `, terminal) : await text(process.stdin));
}

/** `cogency config key list`. */
export async function listKeys(): Promise<void> {
  for (const name of Object.keys(await readApiKeys())) await put(`${visible(name)}\n`);
}

/** `cogency config key remove`. @throws UsageError for a key that is not kept */
export async function removeKey(name: string): Promise<void> {
  checkName(name);
  if (!(await keepApiKey(name, undefined))) throw new UsageError(`No key of that name is kept in ${apiKeyFile()}.`);
  note(`${name} is removed from ${apiKeyFile()}.`);
}

/** Does not repeat the name, which may be the key itself, typed by mistake. */
function checkName(name: string): void {
  if (/^[A-Z][A-Z0-9_]{2,60}$/.test(name)) return;
  throw new UsageError(
    "Give the name of a variable in capitals, such as OPENAI_API_KEY; the key itself is read from stdin or a prompt.",
  );
}
