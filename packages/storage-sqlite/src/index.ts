export type { Durability } from "./durability.ts";
export type { SqliteStoreOptions } from "./sqlite-store.ts";
export { sqliteStore } from "./sqlite-store.ts";
