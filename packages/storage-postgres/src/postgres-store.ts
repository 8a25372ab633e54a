import { inTime } from "@cogency/async";
import {
  above,
  atLeast,
  callback,
  checkOptions,
  flag,
  having,
  name,
  type OptionTable,
  text,
  whole,
  wrongOption,
} from "@cogency/protocol/options";
import type { Store } from "@cogency/storage";
import { checkedStore } from "@cogency/storage/adapter";
import type { Sql } from "postgres";
import { prepareAppend } from "./append.ts";
import { prepareConversations } from "./conversations.ts";
import { noAnswer } from "./database/answer-watch.ts";
import { borrow, connect, locationOf } from "./database/connect.ts";
import { answerTimeoutOf, createDatabase } from "./database/database.ts";
import { retry } from "./database/retry.ts";
import { isTransient, isUnreachable, storeErrorOf } from "./database/store-error-of.ts";
import { prepareDelete } from "./delete.ts";
import { dueNoticesOver } from "./follow/due-notices.ts";
import { prepareFollow } from "./follow/follow.ts";
import { listenerOver } from "./follow/listener.ts";
import { notificationsOver } from "./follow/notifications.ts";
import { prepareWatch } from "./follow/watch.ts";
import { prepareInbox } from "./inbox.ts";
import { prepareLeases } from "./leases.ts";
import { databaseHub } from "./live/database-hub.ts";
import { type Holder, startHolder } from "./liveness/holder.ts";
import { prepareLoad } from "./load.ts";
import { prepareProfiles } from "./profiles.ts";
import { type Prepared, prepareSchema } from "./schema/prepare-schema.ts";
import { defaultSchema } from "./schema/schema-script.ts";
import { prepareSearch } from "./search/search.ts";
import { prepareSlots } from "./slots.ts";
import { prepareWakes } from "./wakes.ts";

export type PostgresStoreOptions = PostgresClient & {
  /** The schema that contains all tables of this store. Defaults to `"cogency"`. */
  schema?: string | undefined;
  /**
   * Whether to create missing tables and functions, and to upgrade those of an earlier version. Defaults to true. In a
   * prepared schema only the version is read, so a role without the right to create objects is enough (see
   * `schemaScript`).
   */
  migrate?: boolean | undefined;
  /**
   * Milliseconds for which a call retries while the connection is lost or the server restarts, before it fails with
   * `unavailable`. Defaults to 30,000.
   */
  retryFor?: number | undefined;
  /**
   * Milliseconds after which `follow`, `watch` and `watchWakes` check for changes whose notification was lost. Defaults to
   * 3,000.
   */
  pollInterval?: number | undefined;
  /**
   * Whether other stores with this option take over the leases, claims and slots of this one in less than a second when
   * its process ends or the store is closed, instead of at the end of their `ttl`. Takes one more connection, which must not
   * go through a pooler: `lost` of all leases aborts when it breaks. Defaults to false.
   */
  liveness?: boolean | undefined;
  /** Called with each warning, one sentence. Defaults to `console.warn`. */
  warn?: ((message: string) => void) | undefined;
};

export type PostgresClient =
  | {
      /** The address of the database, such as `postgres://user:password@host:5432/database?sslmode=verify-full`. */
      url: string;
      sql?: undefined;
      /** The highest number of connections, opened on demand. Defaults to 10. Following, watching and running agents take one more together. */
      max?: number | undefined;
      /** Milliseconds to wait for a connection. Defaults to 10,000. */
      connectTimeout?: number | undefined;
      /** Whether to use prepared statements. Defaults to true. Some poolers in transaction mode need false. */
      prepare?: boolean | undefined;
    }
  | {
      /** An existing client. `close` leaves it open. */
      sql: Sql;
      url?: undefined;
    };

/**
 * Opens a store in one schema of a PostgreSQL database, which many processes on many machines may have open at once.
 *
 * @throws StoreError `unavailable` if the database cannot be reached, or the role lacks a right; `corrupt` for a schema
 * that belongs to another application; `newer_schema` for a schema that a newer version wrote; `full` if the disk is
 * full
 * @throws TypeError for an unknown option or one of a wrong type; RangeError for a value out of its range, and for a schema name that PostgreSQL would truncate or refuse
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<Store> {
  checkOptions("postgresStore", options, optionKinds);
  if (options.url === undefined && options.sql === undefined) {
    throw wrongOption(
      TypeError,
      "url",
      "postgresStore needs `url`, the address of the database, or `sql`, a client of postgres.js.",
    );
  }
  const {
    schema = defaultSchema,
    migrate = true,
    retryFor = 30_000,
    pollInterval = 3_000,
    warn = console.warn,
  } = options;
  const closing = new AbortController();
  const pool = options.sql ? borrow(options.sql) : connect(options);
  const location = locationOf(pool.sql, schema);
  const database = createDatabase({ pool, schema, location, retryFor, closing: closing.signal });
  const preparing = new AbortController();
  const { signal } = preparing;
  let prepared: Prepared;
  try {
    const time = answerTimeoutOf(retryFor);
    const prepare = () => prepareSchema(pool, { schema, migrate, location, signal });
    prepared = await retry(() => inTime(prepare(), time, () => noAnswer(time)), {
      retryFor,
      // A wrong address fails at once.
      isTransient: (error) => isTransient(error) && !isUnreachable(error),
      signal: closing.signal,
    });
  } catch (error) {
    await pool.end();
    throw storeErrorOf(error, location);
  } finally {
    preparing.abort();
  }

  const listener = listenerOver(pool);
  const notifications = notificationsOver(pool, listener, schema, pollInterval);
  const dueNotices = dueNoticesOver(notifications, pollInterval);
  let holder: Holder | undefined;
  const holderId = () => holder?.id ?? null;
  const leases = prepareLeases(database, dueNotices, holderId);
  const slots = prepareSlots(database, holderId);
  if (options.liveness) {
    holder = await startHolder({
      pool,
      schema,
      location,
      warn,
      lost(id) {
        leases.lockLost();
        slots.lockLost(id);
      },
      ended() {
        dueNotices.announce();
        slots.freeThoseOfGone();
      },
    });
  }
  const hub = databaseHub(pool, listener, prepared.liveKey);
  return checkedStore({
    append: prepareAppend(database, leases, notifications, dueNotices),
    load: prepareLoad(database),
    conversations: prepareConversations(database),
    delete: prepareDelete(database, notifications),
    search: prepareSearch(database),
    ...prepareProfiles(database),
    lease: leases.lease,
    renew: leases.renew,
    follow: prepareFollow(database, notifications),
    ...prepareInbox(database, notifications, dueNotices),
    watch: prepareWatch(database, notifications),
    ...prepareWakes(database, notifications, dueNotices, holderId),
    slot: slots.slot,
    // Where it can tell, it does so by its connection (`liveness`).
    owner: undefined,
    live: hub.live,
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await Promise.all([hub.close(), notifications.close()]);
      await pool.end();
      // Afterwards, because running appends are refused once others take over.
      await holder?.close();
    },
  });
}

const optionKinds: OptionTable<Record<OptionName, unknown>> = {
  url: { ...name, wanted: "the address of the database, such as `postgres://user:password@host:5432/database`" },
  sql: having("a client of postgres.js", "begin", "unsafe"),
  max: whole(1),
  connectTimeout: atLeast(0, "milliseconds"),
  prepare: flag,
  schema: text,
  migrate: flag,
  retryFor: atLeast(0, "milliseconds"),
  pollInterval: above(0, "milliseconds"),
  liveness: flag,
  warn: callback,
};

/** The names of the options with either client. */
type OptionName = PostgresStoreOptions extends infer Options
  ? Options extends unknown
    ? keyof Options
    : never
  : never;
