import type { Intent, Unclear } from "./intent.ts";
import { hideQuotes, type Quotes } from "./quotes.ts";
import { readClause } from "./read-clause.ts";

/** In UTF-16 code units. Longer requests are not simple requests. */
const longestRequest = 20_000;

/** The intents of a request, in order. Its parts are joined by `and`, `then`, commas, sentences or lines. */
export function readRequest(text: string): (Intent | Unclear)[] {
  if (text.length > longestRequest) return [{ kind: "unclear", text: `${text.slice(0, 60)}…` }];
  const quotes = hideQuotes(text);
  return quotes.hidden
    .split(/[\n;]/)
    .map((line) => line.trim().split(/\s+/).join(" "))
    .flatMap((line) => line.replace(/^(?:[-*•]|\d+[.)]) /, "").split(joint))
    .filter((clause) => clause !== "")
    .flatMap((clause) => readOrUnclear(clause, quotes));
}

/** A new part begins only before a verb, so that `read a.txt and b.txt` stays one part. */
const verb =
  "(?:list|ls|read|open|cat|print|display|view|show|find|search|grep|look|locate|count|how many|what|which|where|write|save|put|create|make|tell|run|delete|explain)";
const filler = "(?:and|then|also|please|now|next|finally|afterwards)";
const joint = new RegExp(`(?:, ?|(?<=\\S)[.?!] )(?:${filler},? )*(?=${verb}\\b)| (?:${filler},? )+(?=${verb}\\b)`, "i");

function readOrUnclear(clause: string, quotes: Quotes): (Intent | Unclear)[] {
  return readClause(plain(clause), quotes) ?? [{ kind: "unclear", text: quotes.original(clause) }];
}

function plain(clause: string): string {
  return clause
    .replace(politeStart, "")
    .replace(/(?<=[^\s.?!,])[.?!,]+$/, "")
    .replace(politeEnd, "");
}

const politeStart =
  /^(?:(?:please|now|then|also|first|next|finally|ok|okay|hi|hey|hello|and|so|(?:can|could|would|will) you|i want you to|i would like you to|i'd like you to|let us|let's|go ahead and),? )+/i;
const politeEnd = /(?:,? (?:please|for me|again|now))+$/i;
