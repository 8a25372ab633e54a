import type { LogEvent } from "@cogency/protocol";
import { postgresStore } from "@cogency/storage-postgres";
import { again, serve } from "./serve.ts";

export interface AppendOptions {
  url: string;
  event: LogEvent;
}

// Appends of one event to the logs of conversations of its own.
await serve(async ({ url, event }: AppendOptions) => {
  const store = await postgresStore({ url });
  let count = 0;
  return {
    count: () => count,
    begin: () =>
      again(async (lane) => {
        await store.append({ conversation: `${process.pid} ${lane}` }, [event]);
        count++;
      }),
  };
});
