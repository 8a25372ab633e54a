import type { LogEvent } from "@cogency/protocol";

/** An event of a log with its number, as stores give it. */
export type PageEvent = LogEvent & { readonly seq: number };

/** What a page shows: one log that it holds, or the conversations of a server. */
export type PageSource = TraceSource | LiveSource;

export interface TraceSource {
  readonly type: "trace";
  readonly conversation: string;
  readonly events: readonly PageEvent[];
  /** What looks like a secret was taken out of the events. */
  readonly isRedacted: boolean;
}

export interface LiveSource {
  readonly type: "live";
  /** Where the server answers, such as `/api`. */
  readonly api: string;
}
