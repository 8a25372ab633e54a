import { callback, checkOptions, having, type OptionTable, text, wrongOption } from "@cogency/protocol/options";
import type { Dispatcher } from "@cogency/worker";
import { Logger, makeWorkerUtils } from "graphile-worker";
import { Pool } from "pg";
import { jobOf } from "./job.ts";
import { workOn } from "./work-on.ts";

export type GraphileDispatcherOptions = GraphileConnection & {
  /** The name of the task. Defaults to `"cogency"`. */
  task?: string | undefined;
  /** The schema of Graphile Worker, which is created if it is missing. Defaults to `"graphile_worker"`. */
  schema?: string | undefined;
  /** Called with each warning, one sentence. Defaults to `console.warn`. */
  warn?: ((message: string) => void) | undefined;
};

export type GraphileConnection =
  | {
      /** The address of the database, such as `postgres://user:password@host:5432/database`. */
      url: string;
      pool?: undefined;
    }
  | {
      /** An existing pool of `pg`, with at least three connections for each worker. `close` leaves it open. */
      pool: Pool;
      url?: undefined;
    };

export interface GraphileDispatcher extends Dispatcher {
  /** Ends the connections, if there was no `pool`. Workers on it must have been drained. */
  close(): Promise<void>;
}

/**
 * Wakes workers through Graphile Worker: one job a wake. Jobs that are done are deleted.
 *
 * @throws Error if the database cannot be reached; TypeError for wrong options
 */
export async function graphileDispatcher(given: GraphileDispatcherOptions): Promise<GraphileDispatcher> {
  checkOptions("graphileDispatcher", given, optionKinds);
  if (given.url === undefined && given.pool === undefined) {
    throw wrongOption(TypeError, "url", "graphileDispatcher needs `url`, the address of the database, or `pool`.");
  }
  const { task = "cogency", schema = "graphile_worker", warn = console.warn } = given;
  const { pool, close } = connect(given, warn);
  const options = { pgPool: pool, schema, logger: loggerTo(warn) };
  try {
    const utils = await makeWorkerUtils(options);
    await utils.migrate();
    return {
      async wake(key, wakeOptions) {
        const { payload, spec } = jobOf(task, key, wakeOptions);
        await utils.addJob(task, payload, spec);
      },
      work: (handler) => workOn({ ...options, task, handler, warn }),
      async close() {
        await utils.release();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function connect(
  { pool, url }: GraphileConnection,
  warn: (message: string) => void,
): { pool: Pool; close(): Promise<void> } {
  if (pool) return { pool, close: async () => {} };
  const own = new Pool({ connectionString: url });
  // Without listeners, a connection that breaks would end the process.
  own.on("error", (error) => warn(`A connection to PostgreSQL broke, and is opened anew: ${error.message}`));
  own.on("connect", (client) => client.on("error", () => {}));
  return { pool: own, close: () => own.end() };
}

/** Graphile Worker tells its errors, and warnings that say what it tries next. The rest is for those who debug it. */
function loggerTo(warn: (message: string) => void): Logger {
  return new Logger(() => (level, message) => {
    if (level === "error" || level === "warning") warn(`Graphile Worker: ${message}`);
  });
}

const optionKinds: OptionTable<Record<OptionName, unknown>> = {
  url: { ...text, wanted: "the address of the database, such as `postgres://user:password@host:5432/database`" },
  pool: having("a pool of `pg`", "connect", "query"),
  task: text,
  schema: text,
  warn: callback,
};

/** The names of the options with either of both. */
type OptionName = GraphileDispatcherOptions extends infer Options
  ? Options extends unknown
    ? keyof Options
    : never
  : never;
