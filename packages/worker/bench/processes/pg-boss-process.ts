import { PgBoss } from "pg-boss";
import { jobName } from "./job-name.ts";
import { again, serve } from "./serve.ts";

// Jobs of pg-boss that do nothing, each fetched and completed by itself: the fastest way that it has to give out one at a time.
await serve(async ({ url }: { url: string }) => {
  const boss = new PgBoss({ connectionString: url, schedule: false, supervise: false });
  boss.on("error", (error) => console.error(error));
  await boss.start();
  let count = 0;
  return {
    count: () => count,
    begin: () =>
      again(async () => {
        const [job] = await boss.fetch(jobName);
        if (!job) throw new Error("No job of pg-boss is left: give it more.");
        await boss.complete(jobName, job.id);
        count++;
      }),
  };
});
