import { styleText } from "node:util";
import { type Key, redactSecrets } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { saveFile } from "../../base/files/save-file.ts";
import { put } from "../../base/terminal/output.ts";
import { counted, visible } from "../../base/terminal/text.ts";
import { findConversation } from "../../place/store/find-conversation.ts";
import { isOfStore } from "../../place/store/store-files.ts";
import { type HistoryOptions, readHistory } from "../../place/store/with-history.ts";
import { allNames } from "./all-names.ts";
import { exportedLines } from "./exported-lines.ts";

export interface ExportOptions extends HistoryOptions {
  /** A file; stdout when absent. */
  output?: string;
  /** Overwrites it. */
  force?: true;
  /** Keeps secrets. */
  raw?: true;
}

/**
 * `cogency history export`: the conversations that are named, or all of the user's, the oldest first.
 *
 * @throws UsageError if there is no such conversation, or the file cannot be written
 */
export async function exportHistory(
  conversations: readonly string[],
  options: ExportOptions,
  signal: AbortSignal,
): Promise<void> {
  const { store: place, user, output, force, raw } = options;
  if (output !== undefined && isOfStore(output, place)) {
    throw new UsageError("--output is the store itself. Give another file.");
  }
  const exported = await readHistory(options, async (store) => {
    const names = new Set<string>(conversations.length > 0 ? [] : await allNames(store, user));
    for (const wanted of conversations) names.add(await findConversation(wanted, store, place, user));
    const keys = Array.from(names, (conversation): Key => ({ conversation, user }));
    const lines = chunks(exportedLines(keys, store, raw ? undefined : redactSecrets, signal), signal);
    if (output === undefined) {
      for await (const chunk of lines) await put(chunk);
    } else await saveFile("--output", output, lines, force ?? false);
    return keys.length;
  });
  const where = output === undefined ? "" : ` to ${visible(output)}`;
  const secrets = raw ? "secrets that it holds are kept" : "what looks like a secret is redacted; --raw keeps it";
  const notice = `exported ${counted(exported, "conversation")}${where}: ${secrets}`;
  process.stderr.write(`${styleText(raw ? "yellow" : "dim", notice, { stream: process.stderr })}\n`);
}

/** Lines are put together, to be written in few calls. */
async function* chunks(lines: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  let chunk = "";
  for await (const line of lines) {
    signal.throwIfAborted();
    chunk += line;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}
