import type { JsonObject, Measure, RecordContent } from "@cogency/protocol";
import type { Part, QuestionPart } from "@cogency/protocol/parts";

/** Something that is shown on its own, at its place in the log. It is replaced, never changed. */
export interface Entry {
  /** The number of the event that brought it; its permalink. */
  readonly seq: number;
  /** Unix time in seconds. */
  readonly time: number;
  readonly shown: Exclude<Part, QuestionPart> | QuestionPart | Mark;
  /** Of a call, in order. */
  readonly questions: readonly QuestionPart[];
  /** The agent that the call has started. */
  readonly agent?: StartedAgent;
}

/** An agent that a call has started, with a conversation of its own. */
export interface StartedAgent {
  readonly name: string;
  readonly conversation: string;
  readonly isInBackground: boolean;
  /** What it has used, once it has ended or waits. */
  readonly used?: { readonly tokens: number; readonly toolCalls: number };
}

/** The agent that has started the one of a conversation. */
export interface Caller {
  readonly conversation: string;
  /** The names that lead to the agent from that of a person. */
  readonly agents: readonly string[];
}

/** What a record says that is no part. */
export type Mark =
  | { readonly type: "summary"; readonly upTo: number; readonly text: string }
  | { readonly type: "content"; readonly holds: string; readonly source: string }
  | { readonly type: "tools"; readonly names: readonly string[] }
  | { readonly type: "message"; readonly kind: string; readonly refused: string }
  | { readonly type: "model"; readonly from: string; readonly to: string };

/** What the record of a request says. */
export type RequestData = Extract<RecordContent, { kind: "request" }>["data"];

/** One request to the model with its answer and the calls in it. It is replaced, never changed. */
export interface Step {
  readonly number: number;
  /** The number of its first event. */
  readonly seq: number;
  /** Those with the same number belong to one run. */
  readonly run: number;
  /** The record of the request; of the last one, if the driver asked again. Absent if the log has none. */
  readonly request?: { readonly seq: number; readonly data: RequestData };
  readonly entries: readonly Entry[];
  /** Unix time in seconds: when it was asked, when the first unit of the answer began, and when the step was over. */
  readonly begun: number;
  readonly first?: number;
  readonly ended?: number;
  /** When the last unit or call of the answer began: the model wrote at least until then. */
  readonly lastWritten?: number;
  readonly usage?: Measure;
  /** The text of a block that was refused. */
  readonly refused?: string;
  /** The provider's own blocks. */
  readonly native?: { readonly provider: string; readonly data: unknown };
}

/** When a call began and ended, in seconds of Unix time. */
export interface CallTimes {
  readonly begun?: number;
  readonly ended?: number;
}

/** What a page shows below another: an entry of its own, or a step with its entries. */
export type Block = { readonly type: "entry"; readonly entry: Entry } | { readonly type: "step"; readonly step: Step };

/** Fields of a value from a log, which may hold anything. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
