import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { storeConformance } from "@cogency/storage/testkit";
import { sqliteStore } from "../../src/sqlite-store.ts";
import { temporaryHome } from "./temporary-home.ts";

/** The kit's cases for a store in a file. */
export const fileCases = storeConformance("sqliteStore in a file", async () => {
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
