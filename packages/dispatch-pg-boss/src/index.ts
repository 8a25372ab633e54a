export type { PgBossConnection, PgBossDispatcher, PgBossDispatcherOptions } from "./pg-boss-dispatcher.ts";
export { pgBossDispatcher } from "./pg-boss-dispatcher.ts";
