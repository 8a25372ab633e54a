import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { UsageError } from "../base/errors/usage-error.ts";
import { note } from "../base/terminal/note.ts";
import { put } from "../base/terminal/output.ts";
import { visible } from "../base/terminal/text.ts";
import { apiKeyFile, keepApiKey, readApiKeys } from "../place/api-keys.ts";

/** `cogency config key set`. @throws UsageError for a name that no variable can have, and without a key */
export async function setKey(name: string): Promise<void> {
  checkName(name);
  const key = (process.stdin.isTTY ? await hiddenLine(`${name}: `) : await text(process.stdin)).trim();
  if (key === "") throw new UsageError("No key was given, so nothing is kept.");
  if (/\s/.test(key)) throw new UsageError("A key is one word, so nothing is kept.");
  await keepApiKey(name, key);
  note(`${name} is kept in ${apiKeyFile()}, which only you can read.`);
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

/** Reads a line from the terminal that is not shown. Ctrl-C leaves. */
async function hiddenLine(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
  const line = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
    lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  });
  lines.close();
  process.stderr.write("\n");
  return line;
}
