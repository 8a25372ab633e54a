export { createDatabase, type TestDatabase } from "./create-database.ts";
export { dumpSchema } from "./dump-schema.ts";
export { findPostgres } from "./find-postgres.ts";
export { type PostgresEnding, type PostgresOptions, type PostgresServer, startPostgres } from "./start-postgres.ts";
