import type { FinishReason, Usage } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import type { Failure, ServerEvent } from "./wire.ts";

/** What has been received of one answer. */
export interface State {
  /** Ids of the responses before it, of which something may still arrive. */
  readonly earlier: ReadonlySet<string>;
  /** Its own id, once something of it has come. */
  readonly response?: string;
  readonly hasBegun: boolean;
  readonly text: string;
  readonly usage?: Usage;
  /** The server's own word; without one the answer is not complete. */
  readonly finish?: string;
  /** Why there will be no answer. */
  readonly failure?: Failure;
}

export function initialState(earlier: ReadonlySet<string>): State {
  return { earlier, hasBegun: false, text: "" };
}

/** Take in one event. What belongs to another response is passed over. Usage and the finish come from {@link conclude}. */
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

/** A server that numbers its responses not at all has one at a time. */
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
  const ended = { ...state, ...(usage ? { usage } : {}) };
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
