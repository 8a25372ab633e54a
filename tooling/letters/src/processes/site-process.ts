import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createAgent, defineTool } from "@cogency/agent";
import { createHandler } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { createKeyRing } from "@cogency/tools";
import { createWorker } from "@cogency/worker";
import { openStore } from "./open-store.ts";
import type { SiteOptions } from "./start-site.ts";
import { timedModel } from "./timed-model.ts";

// One process of a site, with the options of `startSite` as JSON. Prints its port, or 0 if it serves nothing, once it is there. Asked for
// `memory` on stdin, it collects what is garbage and prints the bytes that are left, and the processor time that it has used.

const {
  place,
  serves = false,
  works = false,
  port = 0,
  concurrency = 10,
  pace,
}: SiteOptions = JSON.parse(process.argv[2] ?? "");
const store = await openStore(place);
const look = defineTool({
  name: "look",
  description: "Looks.",
  input: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
  annotations: { readOnlyHint: true },
  async execute(_, { progress }) {
    for (let step = 1; step <= 5; step++) {
      await sleep(pace.pause);
      progress(`step ${step}`);
    }
    return "seen";
  },
});
const keyRing = createKeyRing(["the secret of every process of this site, 32 bytes"]);
const agent = createAgent({ provider: timedModel(pace), tools: [look], store, keyRing });

if (works) await createWorker({ agent, store, concurrency, perUser: concurrency }).start();
if (serves) {
  const handler = createHandler({
    agent,
    store,
    authenticate({ headers }) {
      const id = headers.get("x-user") ?? "";
      return id === "" ? undefined : { id, scopes: id.startsWith("dev-") ? ["thinking", "log"] : ["thinking"] };
    },
    onError: (error) => console.error(`${error}`),
  });
  const server = createServer(nodeListener(handler));
  server.listen(port, "127.0.0.1", () => console.log(`${(server.address() as AddressInfo).port}`));
} else console.log("0");

process.stdin.on("data", () => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ heap: heapUsed + external, rss, cpu: (user + system) / 1000 }));
});
