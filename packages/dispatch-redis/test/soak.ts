import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runDispatcherConformance } from "@cogency/worker/testkit";
import { startRedis } from "@tooling/redis";
import { open } from "./support/open.ts";

// `pnpm soak`: every case of the kit, with the store in a file: also those that kill and freeze processes and restart the server, which
// then has forgotten all wakes.
const server = await startRedis();
let names = 0;
try {
  const make = async () => {
    const folder = await mkdtemp(join(tmpdir(), "cogency-dispatch-redis-"));
    const options = { url: server.url, name: `case ${++names}`, file: join(folder, "store.db") };
    return {
      open: () => open(options),
      elsewhere: { module: new URL("support/worker-process.ts", import.meta.url), options },
      restart: () => server.restart(),
      dispose: () => rm(folder, { recursive: true, force: true }),
    };
  };
  console.log((await runDispatcherConformance("redis", make)).table);
} finally {
  await server.stop();
}
