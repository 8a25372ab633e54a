export type { Asked, StrictServer, Wants } from "./serve-strict.ts";
export { problemOf, serveStrict } from "./serve-strict.ts";
export type { StrictServerName } from "./strict-servers.ts";
export { strictServers } from "./strict-servers.ts";
