import type { LogEvent } from "@cogency/protocol";

/** An event of a log with its number, as stores give it. */
export type PageEvent = LogEvent & { readonly seq: number };

/** What a page shows: one log that it holds, or the conversations of a server. */
export type PageSource = TraceSource | LiveSource;

/** A log that the page holds. */
export interface TraceSource {
  readonly type: "trace";
  readonly conversation: string;
  readonly events: readonly PageEvent[];
  /** The logs of the agents that calls have started, by the names of their conversations. */
  readonly agents?: Readonly<Record<string, readonly PageEvent[]>>;
  /** What looks like a secret was taken out of the events. */
  readonly isRedacted: boolean;
}

/** The conversations of a server, which the page asks for. */
export interface LiveSource {
  readonly type: "live";
  /** Where the handler of `@cogency/server` answers, such as `/api`. */
  readonly api: string;
}
