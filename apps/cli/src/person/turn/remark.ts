/** `note`: what the app did. `warning`: what the person should know. `error`: what failed. */
export type RemarkKind = "note" | "warning" | "error";

/** Names and what they are, in two columns. */
export type Rows = readonly (readonly [name: string, text: string])[];
