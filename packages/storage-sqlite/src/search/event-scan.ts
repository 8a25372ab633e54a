import { setImmediate } from "node:timers/promises";
import { type MatchCandidate, passageTypes, rankMatches } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { eventPlace, maxSeq } from "../rows/event-place.ts";
import { candidateColumns, matchCandidate, type SearchIndex } from "./search-index.ts";
import { prepareSearchTable } from "./search-table.ts";

/** The search without FTS5: reads all passages of the user's conversations, some events at a time. */
export function prepareEventScan({ sqlite, path, read }: Database): SearchIndex {
  const table = prepareSearchTable(sqlite);
  const listLogs = sqlite.prepare(`
    SELECT id FROM conversations WHERE user = ? AND (? IS NULL OR name <> ?) ORDER BY position DESC`);
  const readBefore = sqlite.prepare(`
    SELECT ${candidateColumns} FROM events JOIN conversations ON id = $id
    WHERE place > ${eventPlace("$id", "0")} AND place < ${eventPlace("$id", "$before")}
      AND type IN (SELECT value FROM json_each($types))
    ORDER BY place DESC LIMIT ${readAtOnce}`);
  const types = JSON.stringify(passageTypes);

  return {
    async candidates(words, user, exclude) {
      const found: MatchCandidate[] = [];
      for (const { id } of await read(() => listLogs.all(user, exclude, exclude))) {
        for (let before = maxSeq; before > 0; ) {
          const candidates = await read(() => {
            const page = readBefore.all({ id: Number(id), before, types });
            return page.map((row) => matchCandidate(row, path));
          });
          // Events without a word need not stay in memory.
          found.push(...candidates.filter((candidate) => rankMatches(words, [candidate], 1).length > 0));
          before = candidates.length < readAtOnce ? 0 : (candidates.at(-1)?.event.seq ?? 0);
          await setImmediate();
        }
      }
      return found;
    },

    remove: () => table.clear(),
    purge: async () => {},
  };
}

const readAtOnce = 200;
