import type { Redact, StoredEvent } from "@cogency/storage";
import { beforeBlocks } from "@cogency/storage/adapter";
import { oneLine, shown } from "../profile/one-line.ts";
import { withoutSecrets } from "../profile/without-secrets.ts";

/** Stands where a quote was: no excerpt reaches over it. */
export const quoteMark = "[…]";

/**
 * What a person wrote in a message, on one line: without secrets, without what a screen does not show, without the blocks that were added
 * to it, and without quotes, which are the words of others. Undefined if nothing is left, for a message that nobody vouches for or
 * that the program wrote, for a long one, and for one that begins with a command, whose text is that of a file.
 */
export function ownWords(event: StoredEvent, redact: Redact): string | undefined {
  if (event.type !== "user" || event.origin !== undefined) return undefined;
  const own = shown(beforeBlocks(event.content));
  if (own.length > longest || isCommand.test(own)) return undefined;
  const line = oneLine(withoutSecrets(own.replaceAll(quote, quoteMark), redact));
  // Two lines may have held a secret together.
  return line === quoteMark ? undefined : withoutSecrets(line, redact) || undefined;
}

/** UTF-16 code units of a message. A longer one was likely pasted, so it is left out. */
const longest = 2000;

/** A line such as `/fix 12`; a path such as `/etc/hosts` begins a sentence. */
const isCommand = /^\s*[/!][\w:-]+(?![\w/.:-])/;

/** Lines between fences, also where the last one lacks, and lines after `>`, as Markdown and mails quote. */
const quote = /^[ \t]*(?:(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1.*$|(?![\s\S]))|>.*(?:\n[ \t]*>.*)*)/gm;
