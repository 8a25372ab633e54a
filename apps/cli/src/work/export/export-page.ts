import { styleText } from "node:util";
import type { PageEvent } from "@cogency/page";
import { pageHtml } from "@cogency/page/node";
import { UsageError } from "../../base/errors/usage-error.ts";
import { saveFile } from "../../base/files/save-file.ts";
import { put } from "../../base/terminal/output.ts";
import { visible } from "../../base/terminal/text.ts";
import { isOfStore } from "../../place/store/store-files.ts";

export interface PageExport {
  conversation: string;
  /** Of `shownEvents`, with the same `raw`. */
  events: readonly PageEvent[];
  /** Those of the agents that its calls have started, by their conversations. */
  agents: Readonly<Record<string, readonly PageEvent[]>>;
  /** Where the store is. */
  place: string;
  /** `-` for stdout. */
  file: string;
  /** Overwrites the file. */
  force: boolean;
  /** Keeps secrets. */
  raw: boolean;
}

/**
 * Writes a conversation as one HTML page, and says so on stderr.
 *
 * @throws UsageError if the file exists and is not to be replaced, or cannot be written
 */
export async function exportPage({ conversation, events, agents, place, file, force, raw }: PageExport): Promise<void> {
  if (isOfStore(file, place)) throw new UsageError("--html is the store itself. Give another file.");
  const page = pageHtml({ type: "trace", conversation, events, agents, isRedacted: !raw });
  if (file === "-") await put(page);
  else await saveFile("--html", file, [page], force);
  const where = file === "-" ? "" : ` to ${visible(file)}`;
  const secrets = raw ? "secrets that it holds are kept" : "what looks like a secret is redacted; --raw keeps it";
  const notice = `wrote the page${where}: ${secrets}`;
  process.stderr.write(`${styleText(raw ? "yellow" : "dim", notice, { stream: process.stderr })}\n`);
}
