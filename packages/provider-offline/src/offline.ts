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
import type { OfflineOptions } from "./options.ts";
import { reply } from "./reply.ts";
import { tokenize } from "./tokens.ts";

/** A small deterministic model that needs no key and no network. It reads nothing but the messages. */
export function offline(options: OfflineOptions = {}): Provider {
  checkOptions<OfflineOptions>("offline", options, { delay: atLeast(0, "milliseconds"), model: name });
  const { delay = 0, model = "offline-1" } = options;
  async function* stream(request: ModelRequest, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
    const tokens = tokenize(cutAtStop(reply(request, request.model ?? model), request.stop));
    const output = tokens.slice(0, request.maxOutputTokens);
    for (const text of output) {
      await wait(delay, signal);
      if (signal?.aborted) break;
      yield { type: "text", text };
    }
    if (signal?.aborted) return yield { type: "finish", reason: "aborted" };
    yield { type: "usage", usage: { ...zeroUsage, input: inputTokens(request), output: output.length } };
    yield { type: "finish", reason: output.length < tokens.length ? "length" : "stop" };
  }

  return {
    name: "offline",
    model,
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    stream,
  };
}

/** The text before the first stop sequence. */
function cutAtStop(text: string, stop: readonly string[] = []): string {
  const cuts = stop.filter((sequence) => sequence !== "").map((sequence) => text.indexOf(sequence));
  return text.slice(0, Math.min(text.length, ...cuts.filter((cut) => cut !== -1)));
}

function inputTokens({ system, messages }: ModelRequest): number {
  const texts = messages.map((message) => (message.role === "tool" ? "" : contentText(message.content)));
  return [system, ...texts].reduce((sum, text) => sum + tokenize(text).length, 0);
}
