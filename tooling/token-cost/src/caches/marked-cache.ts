import { createHash } from "node:crypto";
import { type Section, tokensOf } from "../servers/asked.ts";
import { tokensIn } from "../tokens.ts";
import type { Cache } from "./cache.ts";

const least = 1024;
const lookBack = 20;
const mostMarks = 4;

/**
 * Anthropic's rule, by its guide: everything up to a mark is kept if it has 1,024 tokens or more. A request reads the longest
 * beginning that an earlier one has kept and that ends at one of its marks, or at one of the 20 blocks before it; what stands
 * between that and its last mark is written. https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 *
 * @throws Error for more than four marks, which the server refuses
 */
export function markedCache(): Cache {
  const kept = new Set<string>();
  return {
    read(sections) {
      const marks = sections.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
      if (marks.length > mostMarks)
        throw new Error(`A request has ${marks.length} cache marks; the server takes ${mostMarks}.`);
      const beginnings = beginningsOf(sections);
      const hits = marks.flatMap((mark) =>
        beginnings.slice(Math.max(0, mark - lookBack), mark + 1).filter(({ hash }) => kept.has(hash)),
      );
      const cached = Math.max(0, ...hits.map(({ tokens }) => tokens));
      const long = marks.flatMap((mark) => beginnings[mark] ?? []).filter(({ tokens }) => tokens >= least);
      for (const { hash } of long) kept.add(hash);
      const written = Math.max(0, ...long.map(({ tokens }) => tokens - cached));
      return { input: tokensOf(sections), cached, written };
    },
  };
}

/** For each section, what a request holds up to its end. The marks are no part of it. */
function beginningsOf(sections: readonly Section[]): { hash: string; tokens: number }[] {
  const hash = createHash("sha256");
  let characters = 0;
  return sections.map(({ kind, text }) => {
    hash.update(JSON.stringify([kind, text]));
    characters += text.length;
    return { hash: hash.copy().digest("hex"), tokens: tokensIn(characters) };
  });
}
