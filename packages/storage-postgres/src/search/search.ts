import type { Store } from "@cogency/storage";
import { rankMatches, type SearchWord, searchWords, wholeCount } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { arrayLiteral } from "../database/quote.ts";
import { keyNames, userNames } from "../rows/names.ts";
import { storedEvent } from "../rows/stored-event.ts";
import { lexeme, prepareSearchIndex, scopeLexeme } from "./search-index.ts";

/**
 * The index finds the events that contain words of the search, at most the 500 with the highest scores. `rankMatches`
 * then reads, verifies and ranks them by the same weights.
 */
export function prepareSearch(database: Database): Store["search"] {
  const { schema, location, run, refuseIfClosed } = database;
  const bringUpToDate = prepareSearchIndex(database);
  const statement = `WITH hits AS MATERIALIZED (
      SELECT DISTINCT w.word, p.conversation, p.seq, p.is_returned
      FROM unnest($1::text[]) WITH ORDINALITY AS w (query, word)
      JOIN ${schema}.passages p ON p.words @@ w.query::tsquery
    ), weights AS (
      SELECT word, ln(1 + (SELECT count(DISTINCT (conversation, seq)) FROM hits)::float8 / count(*)) AS weight
      FROM hits GROUP BY word
    ), best AS (
      SELECT c.name, c.position, h.conversation, h.seq
      FROM hits h JOIN weights USING (word) JOIN ${schema}.conversations c ON c.id = h.conversation
      WHERE c.user_key = $2 AND ($3::bytea IS NULL OR c.key <> $3)
      GROUP BY c.name, c.position, h.conversation, h.seq
      ORDER BY sum(CASE WHEN is_returned THEN weight / 2 ELSE weight END) DESC, c.position DESC, h.seq DESC
      LIMIT ${mostCandidates}
    )
    SELECT b.name, b.seq, e.event FROM best b JOIN ${schema}.events e USING (conversation, seq)
    ORDER BY b.position DESC, b.seq DESC`;

  return async (text, { user, exclude, limit = 20 }) => {
    refuseIfClosed();
    const most = wholeCount("limit", limit);
    const words = searchWords(text);
    if (words.length === 0) return [];
    await bringUpToDate(user);
    const { userKey } = userNames(user);
    const queries = words.map((word) => `'${scopeLexeme(userKey)}' & ${queryOf(word)}`);
    const excluded = exclude === undefined ? null : keyNames({ conversation: exclude, user }).key;
    const rows = await run(statement, [arrayLiteral(queries), userKey, excluded]);
    const candidates = rows.map(([name, seq, event]) => ({
      conversation: String(JSON.parse(String(name))),
      event: storedEvent(Number(seq), event, location),
    }));
    return rankMatches(words, candidates, most);
  };
}

const mostCandidates = 500;

/**
 * The query for one word. For a word with characters of a script without spaces it asks only for these, which are in
 * one part of the index; `rankMatches` verifies that they stand side by side, and the rest of the word. Tokens contain
 * only letters and digits.
 */
function queryOf({ tokens, isPrefix }: SearchWord): string {
  const [token = "", ...others] = tokens;
  if (others.length === 0) return `'${lexeme(token)}'${isPrefix ? ":*" : ""}`;
  const last = isPrefix ? tokens.length - 1 : tokens.length;
  const characters = tokens.slice(0, last).filter(({ length }) => length <= 2);
  return characters.map((character) => `'${lexeme(character)}'`).join(" & ");
}
