export type { PostgresClient, PostgresStoreOptions } from "./postgres-store.ts";
export { postgresStore } from "./postgres-store.ts";
export type { SchemaScriptOptions } from "./schema/schema-script.ts";
export { schemaScript } from "./schema/schema-script.ts";
