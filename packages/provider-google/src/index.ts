export { google, google as default } from "./google.ts";
export type { GoogleOptions, GoogleThinking } from "./options.ts";
