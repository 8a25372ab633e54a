import type { Json } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import { sqliteStore } from "../../src/index.ts";

/** Opens the store of a conformance case in another process. */
export default async function openElsewhere(options: Json): Promise<Store> {
  const { path } = options as { path: string };
  return sqliteStore({ path });
}
