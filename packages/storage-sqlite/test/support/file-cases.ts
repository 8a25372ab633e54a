import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { storeConformance, withoutProcesses } from "@cogency/storage/testkit";
import { sqliteStore } from "../../src/sqlite-store.ts";
import { temporaryHome } from "./temporary-home.ts";

const cases = storeConformance("sqliteStore in a file", async () => {
  const folder = await mkdtemp(join(temporaryHome, "sqlite-store-"));
  const path = join(folder, "store.db");
  const open = () => sqliteStore({ path });
  return {
    store: await open(),
    reopen: open,
    elsewhere: { module: new URL("./open-elsewhere.ts", import.meta.url), options: { path } },
    dispose: () => rm(folder, { recursive: true }),
  };
});

/** Moving megabytes and starting processes takes long. */
const isLong = ({ name }: { name: string }) => name in withoutProcesses || /ten megabytes|100,000,000 bytes/.test(name);

/** The kit's cases for a store in a file: those that take long, and all others. */
export const longFileCases = cases.filter(isLong);
export const fileCases = cases.filter((one) => !isLong(one));
