import type { Json } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import { sqliteStore } from "../src/index.ts";

/** How another process opens the store of a case of the kit. */
export default async function openElsewhere(options: Json): Promise<Store> {
  const { path } = options as { path: string };
  return sqliteStore({ path });
}
