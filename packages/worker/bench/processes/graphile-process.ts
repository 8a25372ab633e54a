import { Logger, run } from "graphile-worker";
import { jobName } from "./job-name.ts";
import { concurrency, serve } from "./serve.ts";

const silent = new Logger(() => () => {});

// Jobs of Graphile Worker that do nothing.
await serve(async ({ url }: { url: string }) => {
  let count = 0;
  const taskList = {
    [jobName]: async () => {
      count++;
    },
  };
  return {
    count: () => count,
    begin: () =>
      run({ connectionString: url, concurrency, taskList, pollInterval: 500, noHandleSignals: true, logger: silent }),
  };
});
