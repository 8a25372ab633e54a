import { type Redact, redactionMark } from "@cogency/storage";

/** The text without what looks like a secret: what `redact` finds, and what a sentence gives out as one, such as "my PIN is 4711". */
export function withoutSecrets(text: string, redact: Redact): string {
  return redact(text).replaceAll(toldSecret, (_, before: string) => `${before}${redactionMark}`);
}

/** A name of a secret, at most four words, a verb, and one word that has a digit or ends the sentence. */
const toldSecret =
  /(\b(?:pass(?:word|wort|phrase|code)|kennwort|pin|(?:api|access|private|secret)[ -]?key|secret|token|credential)s?\b[^\w\n]{0,3}(?:[\w-]+[ ,]+){0,4}?(?:is|are|was|were|ist|sind|war|lautet)[: ]+)(?!\[redacted\])(?=\S{4})(?:\S*\d\S*|\S+(?=[.!?,;]?\s*$)|\S+(?=[.!?;]\s))/gimu;
