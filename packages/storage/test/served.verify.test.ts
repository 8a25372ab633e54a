import { describe, it } from "vitest";
import { memoryStore } from "../src/index.ts";
import { storeConformance, withoutProcesses, withoutReopen } from "../src/testkit/index.ts";
import { serveStore } from "./support/serve-store.ts";

const module = new URL("./support/open-served.ts", import.meta.url);

describe("storeConformance over several processes", () => {
  const cases = storeConformance(
    "served",
    async () => {
      const store = memoryStore();
      const { port, livePort, close } = await serveStore(store);
      return { store, elsewhere: { module, options: { port, livePort } }, dispose: close };
    },
    withoutReopen,
  );
  for (const { name, run } of cases.filter(({ name }) => name in withoutProcesses)) it(name, run);
});
