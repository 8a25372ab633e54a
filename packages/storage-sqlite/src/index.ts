export type { Durability } from "./open-database.ts";
export type { SqliteStoreOptions } from "./sqlite-store.ts";
export { sqliteStore } from "./sqlite-store.ts";
