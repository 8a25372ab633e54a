import { createDatabase, startPostgres } from "@tooling/postgres";
import { runDispatcherConformance } from "../src/testkit/index.ts";
import { openElsewhere } from "./support/open-elsewhere.ts";

// `pnpm soak`: every case of the kit for storeDispatcher on PostgreSQL, also those that kill and freeze processes and restart the
// server.
const server = await startPostgres();
try {
  const make = async () => {
    const { url, drop } = await createDatabase(server.url);
    return {
      open: () => openElsewhere({ url }),
      elsewhere: { module: new URL("support/worker-process.ts", import.meta.url), options: { url } },
      restart: () => server.restart("immediate"),
      dispose: drop,
    };
  };
  console.log((await runDispatcherConformance("storeDispatcher", make)).table);
} finally {
  await server.stop();
}
