import { passageTypes, searchTokens } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { arrayLiteral } from "../database/quote.ts";
import { userNames } from "../rows/names.ts";
import { storedEvent } from "../rows/stored-event.ts";

/**
 * Returns a function that indexes all events of a user that were appended before the call. Searches call it, so that
 * appends do not pay for it. It works in steps of a few events. Each step is one atomic statement, and skips
 * conversations that another process has indexed further meanwhile.
 */
export function prepareSearchIndex({ schema, location, run }: Database): (user: string | undefined) => Promise<void> {
  const find = `SELECT id, events FROM ${schema}.conversations WHERE user_key = $1 AND is_unindexed ORDER BY id`;
  // The first conversations that have `stepSize` events together, with at most `stepSize` events each.
  const read = `SELECT c.id, c.indexed, c.goal, e.seq, e.type, e.event
    FROM (
      SELECT c.id, c.indexed, g.goal,
        sum(g.goal - c.indexed) OVER (ORDER BY c.id) - (g.goal - c.indexed) AS before
      FROM unnest($1::bigint[], $2::bigint[]) AS g (id, goal)
      JOIN ${schema}.conversations c ON c.id = g.id AND c.indexed < g.goal
    ) c
    LEFT JOIN LATERAL (
      SELECT seq, type, event FROM ${schema}.events
      WHERE conversation = c.id AND seq > c.indexed AND seq <= c.goal AND type = ANY ($3::text[])
      ORDER BY seq LIMIT ${stepSize}
    ) e ON true
    WHERE c.before < ${stepSize}
    ORDER BY c.id, e.seq LIMIT ${stepSize}`;
  const write = `WITH reached AS (
      UPDATE ${schema}.conversations c SET indexed = u.upto, is_unindexed = c.events > u.upto
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u (id, indexed, upto)
      WHERE c.id = u.id AND c.indexed = u.indexed
      RETURNING c.id
    )
    INSERT INTO ${schema}.passages (conversation, seq, part, is_returned, words)
    SELECT u.id, u.seq, u.part, u.is_returned, array_to_tsvector(string_to_array(u.words, ' '))
    FROM unnest($4::bigint[], $5::bigint[], $6::integer[], $7::boolean[], $8::text[])
      AS u (id, seq, part, is_returned, words)
    JOIN reached USING (id)`;
  const types = arrayLiteral(passageTypes);
  /** The last call of each user. Calls of one process run one after another, so that none repeats another's work. */
  const running = new Map<string, Promise<void>>();

  return async (user) => {
    const { userKey, user: name } = userNames(user);
    const before = running.get(name);
    const own = (before ?? Promise.resolve()).catch(() => {}).then(() => bringUpToDate(userKey));
    running.set(name, own);
    try {
      await own;
    } finally {
      if (running.get(name) === own) running.delete(name);
    }
  };

  async function bringUpToDate(userKey: Buffer): Promise<void> {
    // Only to the current end of the logs: other processes may append without end.
    const goals = await run(find, [userKey]);
    for (let done = 0; done < goals.length; done += stepSize) {
      await reach(goals.slice(done, done + stepSize), scopeLexeme(userKey));
    }
  }

  async function reach(goals: readonly unknown[][], scope: string): Promise<void> {
    for (;;) {
      const rows = await run(read, [column(goals, 0), column(goals, 1), types]);
      if (rows.length === 0) return;
      const steps = stepsOf(rows);
      const passages = rows.flatMap(([id, , , seq, type, text]) => {
        if (seq === null) return [];
        const words = lexemes(searchTokens(storedEvent(Number(seq), text, location)));
        return words.map((part, index) => [id, seq, index, type === "result", [scope, ...part].join(" ")]);
      });
      await run(write, [
        ...[0, 1, 2].map((index) => column(steps, index)),
        ...[0, 1, 2, 3, 4].map((index) => column(passages, index)),
      ]);
    }
  }
}

/** The user as a word of the index. No word of a text contains `@`. */
export function scopeLexeme(userKey: Buffer): string {
  return `@${userKey.toString("base64url")}`;
}

/** A word as the index stores it. PostgreSQL limits a lexeme to 2,046 bytes. */
export function lexeme(token: string): string {
  return token.slice(0, 500).toWellFormed();
}

/** How many events, or conversations without events to index, one step handles. */
const stepSize = 200;

function column(table: readonly (readonly unknown[])[], index: number): string {
  return arrayLiteral(table.map((row) => String(row[index])));
}

/** For each conversation: its id, the sequence number up to which it was indexed, and the one that the step reaches. */
function stepsOf(rows: readonly (readonly unknown[])[]): unknown[][] {
  const steps = new Map(rows.map(([id, indexed, goal]) => [id, [id, indexed, goal]]));
  const [id, indexed, , seq] = rows.at(-1) ?? [];
  // The limit may have cut off events of the last conversation.
  if (rows.length === stepSize && seq !== null) steps.set(id, [id, indexed, seq]);
  return [...steps.values()];
}

/**
 * The different words of an event, in parts below the limit of a `tsvector`, a megabyte. Short words come first, so
 * that the characters of scripts without spaces are in one part: a search looks for several of them together.
 */
function lexemes(tokens: readonly string[]): string[][] {
  const words = [...new Set(tokens.map(lexeme))].toSorted((one, other) => one.length - other.length);
  const parts: string[][] = [];
  let room = 0;
  for (const word of words) {
    const size = 3 * word.length;
    if (size > room) {
      parts.push([]);
      room = largestPart;
    }
    parts.at(-1)?.push(word);
    room -= size;
  }
  return parts;
}

/** Bytes, counting three for each UTF-16 unit. */
const largestPart = 800_000;
