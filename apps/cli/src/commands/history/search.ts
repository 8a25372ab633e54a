import { styleText } from "node:util";
import type { Match } from "@cogency/storage";
import { type SearchWord, searchWords } from "@cogency/storage/adapter";
import { UsageError } from "../../base/errors/usage-error.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { oneLine, visible, widthOr, wordWrapped } from "../../base/terminal/text.ts";
import { when } from "../../person/show/when.ts";
import { type HistoryOptions, readHistory } from "../../place/store/with-history.ts";
import { markWords } from "./mark-words.ts";

export interface SearchHistoryOptions extends HistoryOptions {
  limit: number;
  json?: true;
}

/**
 * `cogency history search`: prints the best match first.
 *
 * @throws UsageError for words without a letter or a digit
 */
export async function searchHistory(parts: readonly string[], options: SearchHistoryOptions): Promise<void> {
  const { user, limit, json } = options;
  const text = parts.join(" ");
  const words = searchWords(text);
  if (words.length === 0) throw new UsageError("There is no word to search for: give letters or digits.");
  const matches = await readHistory(options, (store) => store.search(text, { user, limit }));
  if (json) {
    for (const match of matches) await putLine(match);
    return;
  }
  if (matches.length > 0) await put(`${matches.map((match) => passage(match, words)).join("\n\n")}\n`);
  else process.stderr.write(`${styleText("dim", "Nothing was found.", { stream: process.stderr })}\n`);
}

function passage({ conversation, timestamp, seq, who, tool, excerpt }: Match, words: readonly SearchWord[]): string {
  const stream = process.stdout;
  const name = styleText("bold", oneLine(conversation, 60), { stream });
  const where = [tool === undefined ? who : oneLine(tool, 64), when(timestamp), `event ${seq}`].join(" · ");
  const lines = wordWrapped(visible(excerpt), Math.min(widthOr(stream, 100), 100) - 3);
  const marked = lines.map(
    (line) => `  ${markWords(line, words, (word) => styleText(["bold", "yellow"], word, { stream }))}`,
  );
  return [`${name} ${styleText("dim", `· ${where}`, { stream })}`, ...marked].join("\n");
}
