import { wait } from "@cogency/async";
import type { Stop, WakeHandler } from "@cogency/worker";
import { type Logger, runTaskList, type TaskList } from "graphile-worker";
import type { Pool } from "pg";

interface Work {
  pgPool: Pool;
  schema: string;
  logger: Logger;
  task: string;
  handler: WakeHandler;
  warn(message: string): void;
}

/** Runs a pool of one worker, and another one if it ends by an error, as when the server restarts. */
export async function workOn({ task, handler, warn, pgPool, ...options }: Work): Promise<Stop> {
  const ending = new AbortController();
  const { signal } = ending;
  const tasks: TaskList = {
    async [task](wake, { addJob }) {
      // Taken while the pool ended, which does not wait for that: it goes to another worker.
      if (signal.aborted) await addJob(task, wake, { maxAttempts: 2 });
      // What the handler fails with is no failure of the job: the store knows what is due.
      else await handler().catch(() => {});
    },
  };
  const begin = () => runTaskList({ ...options, concurrency: 1, pollInterval, noHandleSignals: true }, tasks, pgPool);
  let pool = begin();
  const working = (async () => {
    while (!signal.aborted) {
      await pool.promise.catch((error) => warn(`Graphile Worker ended, and begins again: ${String(error)}`));
      await wait(restartAfter, signal);
      if (!signal.aborted) pool = begin();
    }
  })();
  return async () => {
    ending.abort();
    // Fails if the server is gone. Then nothing runs either.
    if (pool._active) await Promise.resolve(pool.gracefulShutdown()).catch(() => {});
    await working;
  };
}

/** Milliseconds between two looks for jobs for later. Others come by a notification. */
const pollInterval = 1000;

/** Milliseconds. */
const restartAfter = 1000;
