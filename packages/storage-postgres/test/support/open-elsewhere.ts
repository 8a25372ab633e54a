import type { Store } from "@cogency/storage";
import { postgresStore } from "../../src/index.ts";

/** How another process of the conformance kit opens a store. */
export default function openElsewhere(options: { url: string; schema: string }): Promise<Store> {
  return postgresStore(options);
}
