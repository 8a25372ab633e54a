import { setImmediate } from "node:timers/promises";
import { type MatchCandidate, passageTypes, type SearchWord, searchTokens } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { conversationAt, eventPlace, lastPlace, placeOfLastEvent, seqAt } from "../rows/event-place.ts";
import { eventColumns, storedEvent } from "../rows/stored-event.ts";
import { candidateColumns, matchCandidate, type SearchIndex } from "./search-index.ts";
import { prepareSearchPurge } from "./search-purge.ts";
import { once, prepareSearchTable } from "./search-table.ts";
import { createStepSize } from "./step-size.ts";

/** A log with events that the index does not contain yet. */
interface UnindexedLog {
  id: number;
  position: number;
  /** The last sequence number. */
  last: number;
}

/** Keeps the words of events in SQLite's FTS5. Searches update the index, so that appends do not pay for it. */
export function prepareFullTextIndex(database: Database): SearchIndex {
  const { sqlite, path, read, write } = database;
  const table = prepareSearchTable(sqlite);
  const purge = prepareSearchPurge(database, table);
  const findScope = sqlite.prepare("SELECT id FROM search_scopes WHERE user = ?");
  const addScope = sqlite.prepare("INSERT OR IGNORE INTO search_scopes (user, indexed) VALUES (?, 0)");
  const findUnindexed = sqlite.prepare(`
    SELECT * FROM (
      SELECT id, position, indexed,
        ${seqAt(placeOfLastEvent("id"))} AS last
      FROM conversations
      WHERE user = $user AND position >= coalesce((SELECT indexed FROM search_scopes WHERE user = $user), 0)
    )
    WHERE indexed < last ORDER BY position`);
  const findProgress = sqlite.prepare("SELECT position, indexed FROM conversations WHERE id = ?");
  const findNext = sqlite.prepare(`
    SELECT ${eventColumns} FROM events
    WHERE place > ${eventPlace("$id", "$after")} AND place <= ${lastPlace("$id")} ORDER BY place LIMIT 1`);
  const setProgress = sqlite.prepare("UPDATE conversations SET indexed = ? WHERE id = ?");
  const setIndexed = sqlite.prepare("UPDATE search_scopes SET indexed = max(indexed, ?) WHERE user = ?");
  // Later appends reuse the positions above, so the logs that get them must be checked again.
  const lowerIndexed = sqlite.prepare(`
    UPDATE search_scopes
    SET indexed = min(indexed, (SELECT max(position) FROM conversations WHERE user = search_scopes.user))
    WHERE user = ? AND EXISTS (SELECT 1 FROM conversations WHERE user = search_scopes.user)`);
  const deleteScope = sqlite.prepare(`
    DELETE FROM search_scopes
    WHERE user = ? AND NOT EXISTS (SELECT 1 FROM conversations WHERE user = search_scopes.user)`);
  const words = once(() => ({
    add: sqlite.prepare(`INSERT INTO search (rowid, words) VALUES (${eventPlace("?", "?")}, ?)`),
    find: sqlite.prepare(`
      SELECT ${candidateColumns}
      FROM (
        SELECT rowid AS found FROM search
        WHERE search MATCH $query
          AND ${conversationAt("rowid")} <> coalesce((SELECT id FROM conversations WHERE user = $user AND name = $exclude), 0)
          AND ${conversationAt("rowid")} NOT IN (SELECT conversation FROM search_leftovers)
        ORDER BY rank LIMIT ${maxCandidates}
      )
      JOIN events ON place = found
      JOIN conversations ON id = ${conversationAt("found")} AND user = $user
      ORDER BY position DESC, place DESC`),
  }));

  return {
    async candidates(searched, user, exclude) {
      await purge.step();
      for (;;) {
        const version = await update(user);
        const found = await read(() => (isComplete(user, version) ? find(searched, user, exclude) : undefined));
        if (found) return found;
      }
    },

    remove(conversation, user) {
      purge.note(conversation);
      for (const statement of [lowerIndexed, deleteScope]) statement.run(user);
    },

    purge: purge.run,
  };

  /** Indexes the events that are stored when it is called. Returns the version of the table that contains them all. */
  async function update(user: string): Promise<number> {
    for (;;) {
      const { version, logs } = await read(() => ({ version: table.version(), logs: findUnindexed.all({ user }) }));
      const behind = logs.map(({ id, position, last }): UnindexedLog => {
        return { id: Number(id), position: Number(position), last: Number(last) };
      });
      if (await indexAll(user, version, behind)) return version;
    }
  }

  /** Returns false if the table was replaced meanwhile: then other logs are unindexed too. */
  async function indexAll(user: string, version: number, logs: readonly UnindexedLog[]): Promise<boolean> {
    const stepSize = createStepSize(transactionTime, workAtOnce);
    for (let next = 0; next < logs.length; ) {
      let begun = 0;
      const done = await write(() => {
        begun = performance.now();
        table.make();
        return table.version() === version ? indexSome(user, logs, next, stepSize.amount()) : undefined;
      });
      if (done === undefined) return false;
      stepSize.took(performance.now() - begun);
      next = done;
      await setImmediate();
    }
    return true;
  }

  /** Whether the table is still the one that was updated. A store without FTS5 empties it and removes its scopes. */
  function isComplete(user: string, version: number): boolean {
    return (
      table.version() === version && (findScope.get(user) !== undefined || findUnindexed.get({ user }) === undefined)
    );
  }

  function find(searched: readonly SearchWord[], user: string, exclude: string | null): MatchCandidate[] {
    const scope = scopeOf(user);
    if (scope === undefined) return [];
    const query = searched.map((word) => phraseOf(word, scope)).join(" OR ");
    const rows = words().find.all({ query, user, exclude });
    return rows.map((row) => matchCandidate(row, path));
  }

  /** The prefix of the user's tokens in the index; undefined if the index has none of the user. */
  function scopeOf(user: string): string | undefined {
    const row = findScope.get(user);
    return row ? `${row.id}x` : undefined;
  }

  /** Does the work of one transaction. Returns the index in `logs` at which the next one continues. */
  function indexSome(user: string, logs: readonly UnindexedLog[], start: number, work: number): number {
    addScope.run(user);
    const scope = scopeOf(user) ?? "";
    let budget = work;
    for (const [offset, log] of logs.slice(start, start + work).entries()) {
      if (budget <= 0) return start + offset;
      const rest = indexLog(user, scope, log, budget);
      if (rest === undefined) return start + offset;
      budget = rest;
    }
    return Math.min(start + work, logs.length);
  }

  /** Returns the rest of the budget; undefined if the budget ended before the log. */
  function indexLog(
    user: string,
    scope: string,
    { id, position, last }: UnindexedLog,
    budget: number,
  ): number | undefined {
    const progress = findProgress.get(id);
    // The conversation was deleted meanwhile.
    if (!progress) return budget - 1;
    let left = budget - 1;
    let done = Number(progress.indexed);
    while (done < last && left > 0) {
      const row = findNext.get({ id, after: done });
      if (!row) break;
      left -= indexEvent(scope, row);
      done = Number(row.seq);
    }
    if (done > Number(progress.indexed)) setProgress.run(done, id);
    if (done < last && left <= 0) return undefined;
    // Every log below is complete: an append moves its log to the top of the list.
    if (position === progress.position && !hasEventAfter(id, done)) setIndexed.run(position, user);
    return left;
  }

  /** Returns the cost, which a long event counts several times. */
  function indexEvent(scope: string, row: Record<string, unknown>): number {
    if (!(passageTypes as readonly unknown[]).includes(row.type)) return 1;
    const event = storedEvent(row, path);
    const scoped = searchTokens(event)
      .map((token) => scope + token)
      .join(" ");
    if (scoped !== "") words().add.run(Number(row.conversation), event.seq, scoped);
    return 1 + scoped.length / charactersAsOne;
  }

  function hasEventAfter(id: number, after: number): boolean {
    return findNext.get({ id, after }) !== undefined;
  }
}

const maxCandidates = 500;
/** Milliseconds that one transaction should take. */
const transactionTime = 20;
/** How many events one transaction indexes. A long event counts several times. */
const workAtOnce = { first: 50, most: 300 };
const charactersAsOne = 2_000;
/** The beginning of a long word is enough to find its events: `rankMatches` checks the whole word. */
const maxTokens = 16;

/** The word as a quoted phrase, so that FTS5 reads no operator in it. Tokens contain letters and digits only. */
function phraseOf({ tokens, isPrefix }: SearchWord, scope: string): string {
  const phrase = tokens
    .slice(0, maxTokens)
    .map((token) => scope + token)
    .join(" ");
  return `"${phrase}"${isPrefix && tokens.length <= maxTokens ? " *" : ""}`;
}
