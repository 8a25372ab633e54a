import type { FinishReason } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { callId } from "@cogency/provider/http";

export type Chunk =
  | { type: "text" | "thought"; text?: string }
  | { type: "seal"; seal: string }
  | { type: "call"; id: string; name: string }
  | { type: "arguments"; index: number; json: string }
  | Done
  | { type: "error"; message: string };

interface Done {
  type: "done";
  why: string;
  tokens: { prompt: number; cached: number; stored: number; answer: number; thought: number };
}

export interface State {
  readonly text: string;
  /** All thoughts. */
  readonly reasoning: string;
  /** The thought since the last seal. */
  readonly thought: string;
  readonly sealed: readonly { thought: string; seal: string }[];
  readonly calls: readonly { id: string; name: string; json: string }[];
  readonly done?: Done;
}

export const initialState: State = { text: "", reasoning: "", thought: "", sealed: [], calls: [] };

export function reduce(state: State, chunk: Chunk): [State, ModelEvent[]] {
  switch (chunk.type) {
    case "text": {
      const { text = "" } = chunk;
      return [{ ...state, text: state.text + text }, [{ type: "text", text }]];
    }
    case "thought": {
      const { text = "" } = chunk;
      const grown = { ...state, reasoning: state.reasoning + text, thought: state.thought + text };
      return [grown, [{ type: "reasoning", text }]];
    }
    case "seal":
      return [{ ...state, thought: "", sealed: [...state.sealed, { thought: state.thought, seal: chunk.seal }] }, []];
    case "call": {
      const { name } = chunk;
      const index = state.calls.length;
      const id = callId(chunk.id, index, (taken) => state.calls.some((call) => call.id === taken));
      const delta: ModelEvent = { type: "tool_call_delta", index, id, name, arguments: "" };
      return [{ ...state, calls: [...state.calls, { id, name, json: "" }] }, [delta]];
    }
    case "arguments": {
      const { index, json } = chunk;
      const calls = state.calls.map((call, at) => (at === index ? { ...call, json: call.json + json } : call));
      return [{ ...state, calls }, [{ type: "tool_call_delta", index, arguments: json }]];
    }
    case "done":
      return [{ ...state, done: chunk }, []];
    default:
      // Events of types that the server adds later are ignored.
      return [state, []];
  }
}

export function conclude({ calls, sealed }: State, { why, tokens }: Done): ModelEvent[] {
  const { prompt, cached, stored, answer, thought } = tokens;
  return [
    ...calls.map(({ id, name, json }): ModelEvent => ({ type: "tool_call", id, name, arguments: json || "{}" })),
    {
      type: "usage",
      // Our counts are disjoint: input excludes the tokens read from the cache and written to it.
      usage: {
        input: prompt - cached - stored,
        output: answer,
        cacheRead: cached,
        cacheWrite: stored,
        reasoning: thought,
      },
    },
    { type: "finish", reason: reasons[why] ?? "other", raw: why, ...(sealed.length > 0 && { native: [...sealed] }) },
  ];
}

const reasons: Record<string, FinishReason> = {
  stop: "stop",
  tools: "tool_calls",
  limit: "length",
  filter: "content_filter",
};
