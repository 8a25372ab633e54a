export { offline, offline as default } from "./offline.ts";
export type { OfflineOptions } from "./options.ts";
