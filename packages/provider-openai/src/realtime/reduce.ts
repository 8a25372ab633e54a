import type { FinishReason, Usage } from "@cogency/protocol";
import { estimateUsage, type ModelEvent, type ModelRequest } from "@cogency/provider";
import { toUsage } from "../responses/usage.ts";
import type { Failure, ServerEvent } from "./wire.ts";

/** The part of one answer that has been received. */
export interface State {
  /** Ids of the earlier responses, of which events may still arrive. */
  readonly earlier: ReadonlySet<string>;
  /** Its own id, once an event of it has arrived. */
  readonly response?: string;
  readonly hasBegun: boolean;
  readonly text: string;
  readonly usage?: Usage;
  /** The server's own word; the answer is complete once it is there. */
  readonly finish?: string;
  /** Why there will be no answer. */
  readonly failure?: Failure;
}

export function initialState(earlier: ReadonlySet<string>): State {
  return { earlier, hasBegun: false, text: "" };
}

/** Adds one event. Events of other responses are ignored. Usage and the finish come from {@link conclude}. */
export function reduce(state: State, event: ServerEvent): [State, ModelEvent[]] {
  switch (event.type) {
    case "response.created":
    case "text":
    case "response.done":
      return isForeign(state, event.response) ? [state, []] : take(state, event);
    default:
      return [state, []];
  }
}

/** The events that end the answer. */
export function conclude({ usage, finish }: State): ModelEvent[] {
  return [
    ...(usage ? [{ type: "usage", usage } as const] : []),
    { type: "finish", reason: toFinishReason(finish), ...(finish ? { raw: finish } : {}) },
  ];
}

/** The usage of an answer that was aborted. */
export function usageOfAborted(state: State, request: ModelRequest): Usage {
  return state.usage ?? estimateUsage(request, state.text);
}

/** An event without an id belongs to this response: a server that sends no ids has one response at a time. */
function isForeign({ earlier, response }: State, id: string | undefined): boolean {
  return id !== undefined && (earlier.has(id) || (response !== undefined && response !== id));
}

function take(state: State, event: ServerEvent & { response?: string | undefined }): [State, ModelEvent[]] {
  const known: State = { ...state, hasBegun: true, ...(event.response ? { response: event.response } : {}) };
  switch (event.type) {
    case "text":
      return [{ ...known, text: state.text + event.delta }, event.delta ? [{ type: "text", text: event.delta }] : []];
    case "response.done":
      return [withEnd(known, event), []];
    default:
      return [known, []];
  }
}

function withEnd(state: State, { status, reason, failure, usage }: ServerEvent & { type: "response.done" }): State {
  const ended = { ...state, ...(usage ? { usage: toUsage(usage) } : {}) };
  switch (status) {
    case "completed":
      return { ...ended, finish: status };
    case "incomplete":
      return { ...ended, finish: reason ?? status };
    default:
      return { ...ended, failure: failure ?? { message: reason ? `${status} (${reason})` : status } };
  }
}

function toFinishReason(raw: string | undefined): FinishReason {
  switch (raw) {
    case "completed":
      return "stop";
    case "max_output_tokens":
      return "length";
    case "content_filter":
      return raw;
    default:
      return "other";
  }
}
