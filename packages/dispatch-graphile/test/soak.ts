import { runDispatcherConformance } from "@cogency/worker/testkit";
import { createDatabase, startPostgres } from "@tooling/postgres";
import { open } from "./support/open.ts";

// `pnpm soak`: every case of the kit, with the store in the same database: also those that kill and freeze processes and restart the
// server.
const server = await startPostgres();
try {
  const make = async () => {
    const { url, drop } = await createDatabase(server.url);
    return {
      open: () => open({ url }),
      elsewhere: { module: new URL("support/worker-process.ts", import.meta.url), options: { url } },
      restart: () => server.restart("immediate"),
      dispose: drop,
    };
  };
  console.log((await runDispatcherConformance("graphile", make)).table);
} finally {
  await server.stop();
}
