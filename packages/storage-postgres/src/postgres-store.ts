import type { Store } from "@cogency/storage";
import type { Sql } from "postgres";
import { prepareAppend } from "./append.ts";
import { prepareConversations } from "./conversations.ts";
import { borrow, connect, locationOf } from "./database/connect.ts";
import { answerTimeoutOf, createDatabase } from "./database/database.ts";
import { retry } from "./database/retry.ts";
import { isTransient, isUnreachable, storeErrorOf } from "./database/store-error-of.ts";
import { within } from "./database/within.ts";
import { prepareDelete } from "./delete.ts";
import { prepareFollow } from "./follow/follow.ts";
import { notificationsOver } from "./follow/notifications.ts";
import { prepareLease } from "./leases.ts";
import { prepareLoad } from "./load.ts";
import { prepareProfiles } from "./profiles.ts";
import { prepareSchema } from "./schema/prepare-schema.ts";
import { defaultSchema } from "./schema/schema-script.ts";
import { prepareSearch } from "./search/search.ts";

export type PostgresStoreOptions = PostgresClient & {
  /** The schema that holds everything of this store; `"cogency"` by default. */
  schema?: string | undefined;
  /**
   * Whether to create what is missing; true by default. Where everything is there nothing but the version is read, so a
   * role without the right to create anything will do (see `schemaScript`).
   */
  migrate?: boolean | undefined;
  /**
   * Milliseconds for which a call is tried again while the connection is lost or the server restarts, before it fails
   * with `unavailable`; 30,000 by default.
   */
  retryFor?: number | undefined;
  /** Milliseconds after which `follow` looks for events of which no notification came; 3,000 by default. */
  pollInterval?: number | undefined;
};

export type PostgresClient =
  | {
      /** The address of the database, such as `postgres://user:password@host:5432/database?sslmode=verify-full`. */
      url: string;
      sql?: undefined;
      /** At most so many connections, opened as they are needed; 10 by default. While logs are followed, one more. */
      max?: number | undefined;
      /** Milliseconds to wait for a connection; 10,000 by default. */
      connectTimeout?: number | undefined;
      /** False for a pooler in transaction mode that knows no prepared statements; true by default. */
      prepare?: boolean | undefined;
    }
  | {
      /** A client that is there already, which `close` leaves open. */
      sql: Sql;
      url?: undefined;
    };

/**
 * Opens the store in one schema of a PostgreSQL database, which many processes on many machines may have open at once.
 *
 * @throws StoreError `unavailable` if the database cannot be reached or used as it must be; `corrupt` for a schema that
 * is another application's; `newer_schema` for one that a newer version wrote; `full` if there is no room
 * @throws RangeError for a schema name that PostgreSQL would cut or refuse
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { schema = defaultSchema, migrate = true, retryFor = 30_000, pollInterval = 3_000 } = options;
  const closing = new AbortController();
  const pool = options.sql ? borrow(options.sql) : connect(options);
  const location = locationOf(pool.sql, schema);
  const database = createDatabase({ pool, schema, location, retryFor, closing: closing.signal });
  try {
    await retry(() => within(prepareSchema(pool.sql, schema, migrate, location), answerTimeoutOf(retryFor)), {
      retryFor,
      // A wrong address is told at once.
      isTransient: (error) => isTransient(error) && !isUnreachable(error),
      signal: closing.signal,
    });
  } catch (error) {
    await pool.end();
    throw storeErrorOf(error, location);
  }

  const notifications = notificationsOver(pool, schema, pollInterval);
  return {
    append: prepareAppend(database, notifications),
    load: prepareLoad(database),
    conversations: prepareConversations(database),
    delete: prepareDelete(database, notifications),
    search: prepareSearch(database),
    ...prepareProfiles(database),
    lease: prepareLease(database),
    follow: prepareFollow(database, notifications),
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await notifications.close();
      await pool.end();
    },
  };
}
