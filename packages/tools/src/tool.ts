import type { Json, JsonObject, LogEvent, ToolSpec, Usage } from "@cogency/protocol";
import type { LoggedCall } from "./logged-call.ts";
import type { Validation } from "./validation.ts";

/** A tool as the registry and the executor see it; `defineTool` makes one. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** What the model is told. */
  readonly spec: ToolSpec;
  readonly annotations: ToolAnnotations;
  /** Milliseconds that one call may take; the executor's own limit when absent. */
  readonly timeout?: number;
  /** Bytes that the model may see of one result; the executor's own limit when absent. */
  readonly maxResultBytes?: number;
  /** Its calls ask, or are denied, unless the host's rules name the tool; see `ApprovalRules`. */
  readonly approval?: "ask" | "deny";
  /** Milliseconds that the body may take to end after it was told to stop; 50 when absent, 400 at most. */
  readonly grace?: number;
  /** Checks arguments and returns what `execute` receives. Never throws. */
  validate(args: JsonObject, options?: ValidateOptions): Validation | Promise<Validation>;
  /** What a call with these (validated) arguments touches; calls that share a key run in call order. */
  resource?(args: unknown): Resource | Promise<Resource>;
  /** Why a call with these arguments asks even where its tool is allowed: a sentence each for the person who is asked. */
  cautions?(args: unknown): readonly string[] | Promise<readonly string[]>;
  /**
   * What the result of a call with these arguments brings into the conversation. When absent: untrusted content, where
   * `openWorldHint` is true. It is asked twice, with the very object that `execute` gets: before the body, for the worst
   * that may come, which counts if the body never ends or is left behind, and after the body has ended, also by a failure,
   * for what has really come, which counts then. Who knows no better gives the same answer.
   */
  brings?(args: unknown): readonly Content[];
  /** Whether a call with these arguments reaches beyond this machine; when absent, what `openWorldHint` says. */
  reachesOut?(args: unknown): boolean;
  /**
   * `args` are what `validate` returned. A thrown error is a failure with its message. Of a generator each `yield` is
   * progress, and what it returns is the result.
   */
  execute(args: unknown, context: ToolContext): unknown;
}

export interface ValidateOptions {
  /** What becomes of keys that the schema neither declares nor names: an issue each (the default), or left out. */
  unknownKeys?: "strip" | "reject" | undefined;
}

/** One key or several, such as `file:/srv/notes.md`; none when nothing is shared. */
export type Resource = string | readonly string[] | undefined;

/** Something in a conversation that a policy heeds: text that no person vouched for, or what is private. */
export interface Content {
  readonly holds: "untrusted" | "private";
  /** Where it came from, as a person reads it: `scrape https://example.com/a`. */
  readonly source: string;
}

/** Hints in the words of MCP. They are the tool author's claim, and approval policies read them. */
export interface ToolAnnotations {
  /** Changes nothing: reads of one resource may share it. */
  readonly readOnlyHint?: boolean;
  /** May destroy something that was there. */
  readonly destructiveHint?: boolean;
  /** Calling again with the same arguments changes nothing more. */
  readonly idempotentHint?: boolean;
  /** Reaches beyond this machine. */
  readonly openWorldHint?: boolean;
}

/** All of them. */
export const hints = [
  "readOnlyHint",
  "destructiveHint",
  "idempotentHint",
  "openWorldHint",
] as const satisfies readonly (keyof ToolAnnotations)[];

/** What a running call knows of its surroundings. Everything else a tool needs it closes over. */
export interface ToolContext {
  readonly call: LoggedCall;
  /** Aborts when the run is cancelled or the call's time is over. */
  readonly signal: AbortSignal;
  readonly state: ToolState;
  readonly conversation: string;
  readonly user: string | undefined;
  /** Tells observers how far the call has come. */
  progress(update: Json): void;
}

/** The run as it stood when the batch began: a copy that cannot be changed. */
export type ToolState = Readonly<{
  events: readonly LogEvent[];
  metadata: JsonObject;
  step: number;
  usage: Usage;
}>;
