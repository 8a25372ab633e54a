import { callback, checkOptions, having, type OptionTable, text, wrongOption } from "@cogency/protocol/options";
import type { Dispatcher } from "@cogency/worker";
import { PgBoss } from "pg-boss";
import type { Boss } from "./boss.ts";
import { jobOf } from "./job.ts";
import { prepareQueue } from "./queue.ts";

export type PgBossDispatcherOptions = PgBossConnection & {
  /** The name of the queue, which is created if it is missing. Defaults to `"cogency"`. */
  queue?: string | undefined;
};

export type PgBossConnection =
  | {
      /** The address of the database, such as `postgres://user:password@host:5432/database`. */
      url: string;
      boss?: undefined;
      /** The schema of pg-boss, which is created if it is missing. Defaults to `"pgboss"`. */
      schema?: string | undefined;
      /** Called with each warning, one sentence. Defaults to `console.warn`. */
      warn?: ((message: string) => void) | undefined;
    }
  | {
      /**
       * An instance of pg-boss 12 that was started. `close` leaves it running. With `useListenNotify` its workers are woken at once, without it they
       * look twice a second.
       */
      boss: Boss;
      url?: undefined;
    };

export interface PgBossDispatcher extends Dispatcher {
  /** Ends the connections, if there was no `boss`. Workers on it must have been drained. */
  close(): Promise<void>;
}

/**
 * Wakes workers through a queue of pg-boss: one job a wake. Jobs that are done stay in its tables for an hour.
 *
 * @throws Error if the database cannot be reached, or the queue exists with a policy that would swallow wakes; TypeError for wrong
 * options
 */
export async function pgBossDispatcher(given: PgBossDispatcherOptions): Promise<PgBossDispatcher> {
  checkOptions("pgBossDispatcher", given, optionKinds);
  if (given.url === undefined && given.boss === undefined) {
    throw wrongOption(TypeError, "url", "pgBossDispatcher needs `url`, the address of the database, or `boss`.");
  }
  const { queue = "cogency" } = given;
  const { boss, close } = await connect(given);
  try {
    await prepareQueue(boss, queue);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async wake(key, options) {
      const { data, sending } = jobOf(key, options);
      // Null if the same wake waits already.
      await boss.send(queue, data, sending);
    },
    async work(handler) {
      let hasStopped = false;
      const id = await boss.work(queue, polling, async ([job]) => {
        // Taken while it stopped: another worker gets it.
        if (hasStopped) return boss.send(queue, job?.data ?? {}, {});
        // Looks for the next job at once. By itself it would wait for the next notification.
        await handler().finally(() => boss.notifyWorker(id));
      });
      return async () => {
        hasStopped = true;
        await boss.offWork(queue, { id, wait: true });
      };
    },
    close,
  };
}

/**
 * One poller takes one job at a time, so that a worker without a place takes no more. A job for later is found by polling alone,
 * also while notifications come.
 */
const polling = { batchSize: 1, localConcurrency: 1, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 1 };

async function connect(connection: PgBossConnection): Promise<{ boss: Boss; close(): Promise<void> }> {
  if (connection.boss) return { boss: connection.boss, close: async () => {} };
  const { url, schema = "pgboss", warn = console.warn } = connection;
  const boss = new PgBoss({ connectionString: url, schema, useListenNotify: true, schedule: false });
  boss.on("error", (error) => warn(`pg-boss failed in the background, and tries again: ${error.message}`));
  boss.on("warning", ({ message }) => warn(`pg-boss warns: ${message}`));
  await boss.start();
  return { boss, close: () => boss.stop({ graceful: false }) };
}

const optionKinds: OptionTable<Record<OptionName, unknown>> = {
  url: { ...text, wanted: "the address of the database, such as `postgres://user:password@host:5432/database`" },
  boss: having("an instance of pg-boss 12", "send", "work"),
  queue: text,
  schema: text,
  warn: callback,
};

/** The names of the options with either of both. */
type OptionName = PgBossDispatcherOptions extends infer Options
  ? Options extends unknown
    ? keyof Options
    : never
  : never;
