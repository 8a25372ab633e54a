import { atLeast, checkOptions, name } from "@cogency/protocol/options";
import {
  contentText,
  type ModelEvent,
  type ModelRequest,
  type Provider,
  type StreamOptions,
  wait,
  zeroUsage,
} from "@cogency/provider";
import { type Piece, write } from "./forms/write.ts";
import type { OfflineOptions } from "./options.ts";
import { reply } from "./reply.ts";
import { tokenize } from "./tokens.ts";

/** A small deterministic model that needs no key and no network. It reads nothing but the request. */
export function offline(options: OfflineOptions = {}): Provider {
  checkOptions<OfflineOptions>("offline", options, { delay: atLeast(0, "milliseconds"), model: name });
  const { delay = 0, model = "offline-1" } = options;

  async function* stream(request: ModelRequest, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
    const pieces = cutAtStop(write(reply(request, request.model ?? model), request), request.stop);
    let left = request.maxOutputTokens ?? Number.POSITIVE_INFINITY;
    let output = 0;
    let calls = 0;
    for (const piece of pieces) {
      const all = tokenize(piece.type === "call" ? JSON.stringify(piece.call.args) : piece.text);
      const tokens = all.slice(0, left);
      left -= all.length;
      if (piece.type === "call" && tokens.length > 0) {
        yield { type: "tool_call_delta", index: calls, id: `call_${calls}`, name: piece.call.name, arguments: "" };
      }
      for (const text of tokens) {
        await wait(delay, signal);
        if (signal?.aborted) return yield { type: "finish", reason: "aborted" };
        yield piece.type === "call"
          ? { type: "tool_call_delta", index: calls, arguments: text }
          : { type: piece.type, text };
        output++;
        if (signal?.aborted) return yield { type: "finish", reason: "aborted" };
      }
      if (piece.type === "call" && tokens.length > 0) {
        yield { type: "tool_call", id: `call_${calls}`, name: piece.call.name, arguments: tokens.join("") };
        calls++;
      }
    }
    yield { type: "usage", usage: { ...zeroUsage, input: inputTokens(request), output } };
    yield { type: "finish", reason: left < 0 ? "length" : calls > 0 ? "tool_calls" : "stop" };
  }

  return {
    name: "offline",
    model,
    capabilities: { tools: true, session: false, reasoning: true, format: true },
    stream,
  };
}

/** What stands before the first stop sequence. */
function cutAtStop(pieces: readonly Piece[], stop: readonly string[] = []): Piece[] {
  const sequences = stop.filter((sequence) => sequence !== "");
  const kept: Piece[] = [];
  for (const piece of pieces) {
    if (piece.type !== "text") {
      kept.push(piece);
      continue;
    }
    const cuts = sequences.map((sequence) => piece.text.indexOf(sequence)).filter((cut) => cut !== -1);
    kept.push({ ...piece, text: piece.text.slice(0, Math.min(piece.text.length, ...cuts)) });
    if (cuts.length > 0) break;
  }
  return kept;
}

function inputTokens({ system, messages, tools }: ModelRequest): number {
  const texts = messages.flatMap((message) => {
    if (message.role === "tool") return message.results.map(({ content }) => content);
    const calls = message.role === "assistant" && message.calls ? [JSON.stringify(message.calls)] : [];
    return [contentText(message.content), ...calls];
  });
  const all = [system, ...(tools ? [JSON.stringify(tools)] : []), ...texts];
  return all.reduce((sum, text) => sum + tokenize(text).length, 0);
}
