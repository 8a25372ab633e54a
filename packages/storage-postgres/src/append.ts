import { randomUUID } from "node:crypto";
import { ConflictError, LeaseHeldError, MessageConflictError, type Store, StoreError } from "@cogency/storage";
import { cleanEvents, eventRows, takenIds, titleOf } from "@cogency/storage/adapter";
import type { Database } from "./database/database.ts";
import { arrayLiteral } from "./database/quote.ts";
import type { Statement } from "./database/sending.ts";
import type { DueNotices } from "./follow/due-notices.ts";
import type { Notifications } from "./follow/notifications.ts";
import type { Leases } from "./leases.ts";
import { conversationUpdate, givenTitle } from "./rows/conversation-update.ts";
import { isTooLarge, keyNames, longestText, scopeKey, sha256 } from "./rows/names.ts";

/**
 * The common append to an existing log is one statement, `addTo`. It stores nothing in all other cases, and the
 * function `append_batch` in the database (schema/functions.ts) then handles them: a new log, a conflict, a lease, a batch
 * that was stored before, an attempt that may have been carried out. Both may run twice for one batch. An append that takes
 * messages is handled by the function at once: it must read the inbox after it has locked the conversation.
 */
export function prepareAppend(
  { schema, location, attempt, refuseIfClosed }: Database,
  leases: Leases,
  notifications: Notifications,
  dueNotices: DueNotices,
): Store["append"] {
  const addBatch = addTo(schema, "batch");
  const addAttempt = addTo(schema, "attempt");
  const callAppend = `SELECT outcome, result, owner, ends
    FROM ${schema}.append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;

  return async (key, events, { expected, batch, lease, takes, scope } = {}) => {
    refuseIfClosed();
    const taken = takenIds(takes, events);
    const cleaned = cleanEvents(events);
    const rows = eventRows(cleaned);
    refuseIfTooLarge(rows.map(({ text }) => text));
    const { title, isGiven } = titleOf(cleaned);
    const createdAt = cleaned[0]?.timestamp ?? 0;
    const updatedAt = cleaned.at(-1)?.timestamp ?? 0;
    const { key: keyHash, user, name } = keyNames(key);
    const types = rows.map(({ type }) => type).join("\n");
    const texts = rows.map(({ text }) => text).join("\n");
    const token = lease?.token ?? null;
    const batchHash = batch === undefined ? null : sha256(JSON.stringify(batch));
    const ownId = batch === undefined ? randomUUID() : null;
    const summary = [isGiven ? givenTitle(title) : title, createdAt, updatedAt];
    const conditions = [expected ?? null, token];
    const add = batchHash ? addBatch : addAttempt;
    const byStatement: Statement = [
      rows.length === 1 ? add.one : add.several,
      [keyHash, rows.length, ...summary, ...conditions, batchHash ?? ownId, types, texts],
    ];
    const takenKeys =
      taken.length === 0 ? null : arrayLiteral(taken.map((id) => `\\x${sha256(JSON.stringify(id)).toString("hex")}`));
    const byFunction = (isRetry: boolean): Statement => [
      callAppend,
      [
        keyHash,
        user,
        name,
        types,
        texts,
        ...summary,
        ...conditions,
        batchHash,
        ownId,
        isRetry,
        takenKeys,
        scopeKey(scope),
      ],
    ];

    const isCommon = rows.length > 0 && taken.length === 0;
    const added = !isCommon ? [] : await attempt((isRetry) => (isRetry ? byFunction(true) : byStatement));
    const [[outcome, result, owner, ends] = []] = added.length > 0 ? added : await attempt(byFunction);
    switch (outcome) {
      case "stored":
        if (rows.length > 0) notifications.announce(keyHash);
        // From the first write on, the end of a lease makes the conversation due.
        if (rows.length > 0 && added.length === 0) dueNotices.announce();
        return Number(result);
      case "conflict":
        throw new ConflictError(Number(expected), Number(result));
      case "held":
        throw new LeaseHeldError(String(JSON.parse(String(owner))), Number(ends));
      case "lost":
        throw leases.refused(keyHash, Number(token));
      case "absent":
        throw new MessageConflictError(String(taken[Number(result) - 1]), "absent");
      default:
        throw new StoreError(
          "corrupt",
          `${location} is damaged: its function "append_batch" is not the one of this version.`,
        );
    }
  };
}

/**
 * Statements that append if no lease, conflict or earlier attempt prevents it, and return no row otherwise. `one` is
 * for a single event, because splitting a text costs as much as storing an event.
 *
 * @param id the column of the last event that identifies the append
 */
function addTo(schema: string, id: "batch" | "attempt"): { one: string; several: string } {
  const now = "date_part('epoch', clock_timestamp()) * 1000";
  const [type, isKnown] =
    id === "batch"
      ? ["bytea", `EXISTS (SELECT FROM ${schema}.events e WHERE e.conversation = c.id AND e.batch = $8)`]
      : ["uuid", "coalesce($8 = ANY (c.retried), false)"];
  const log = `UPDATE ${schema}.conversations c SET
        ${conversationUpdate(schema, { added: "$2", title: "$3", createdAt: "$4", updatedAt: "$5" })}
      WHERE c.key = $1 AND c.scope IS NOT NULL AND NOT ${isKnown} AND ($6::double precision IS NULL OR c.events = $6)
        AND CASE WHEN $7::double precision IS NULL THEN coalesce(c.lease_ends <= ${now}, true)
          ELSE c.lease_token = $7 AND c.lease_ends > ${now} END
      RETURNING id, events`;
  const insert = `INSERT INTO ${schema}.events (conversation, seq, type, event, ${id})`;
  return {
    one: `WITH log AS (
      ${log}
    )
    ${insert} SELECT id, events, $9::text, $10::text, $8::${type} FROM log RETURNING 'stored', seq, NULL, NULL`,
    several: `WITH log AS (
      ${log}
    ), added AS (
      ${insert}
      SELECT log.id, log.events - $2 + n, type, event, CASE WHEN n = $2 THEN $8::${type} END
      FROM log, unnest(string_to_array($9, E'\\n'), string_to_array($10, E'\\n')) WITH ORDINALITY AS u (type, event, n)
    )
    SELECT 'stored', events, NULL, NULL FROM log`,
  };
}

function refuseIfTooLarge(texts: readonly string[]): void {
  if (!isTooLarge(texts)) return;
  throw new StoreError(
    "invalid_event",
    `The batch has more than ${longestText} characters as JSON, which PostgreSQL cannot take at once. Nothing was stored; append smaller batches.`,
  );
}
