export type { Boss } from "./boss.ts";
export type { PgBossConnection, PgBossDispatcher, PgBossDispatcherOptions } from "./pg-boss-dispatcher.ts";
export { pgBossDispatcher } from "./pg-boss-dispatcher.ts";
