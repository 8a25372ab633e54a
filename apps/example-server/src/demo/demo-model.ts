import { setTimeout } from "node:timers/promises";
import type { ModelEvent, Provider, StreamOptions } from "@cogency/provider";
import { type Decision, decide } from "./decide.ts";
import { readTurn } from "./read-turn.ts";

export interface DemoModelOptions {
  /** Milliseconds before each piece of an answer. Defaults to 20. */
  pause?: number;
}

/**
 * A model without a model: it decides by a few sentences. With native tools its calls are native, and their arguments come in pieces;
 * else it writes the text protocol.
 */
export function demoModel({ pause = 20 }: DemoModelOptions = {}): Provider {
  return {
    name: "demo",
    model: "demo-1",
    capabilities: { tools: true, session: false, reasoning: true, format: false },
    async *stream(request, { signal }: StreamOptions = {}) {
      const decision = decide(readTurn(request));
      let output = 0;
      for (const event of eventsOf(decision, request.tools !== undefined)) {
        if (event.type !== "tool_call")
          await setTimeout(decision.pause ?? pause, undefined, { signal }).catch(() => {});
        if (signal?.aborted) return yield { type: "finish", reason: "aborted" };
        output += 1;
        yield event;
      }
      const input = Math.ceil(JSON.stringify([request.system, request.messages]).length / 4);
      yield { type: "usage", usage: { input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0, estimated: true } };
      yield { type: "finish", reason: decision.call && request.tools ? "tool_calls" : "stop" };
    },
  };
}

function* eventsOf({ thinking = "", words = [], call }: Decision, isNative: boolean): Generator<ModelEvent> {
  for (const text of thinking.match(/\S+\s*/g) ?? []) yield { type: "reasoning", text };
  for (const text of words) yield { type: "text", text };
  if (!call) return;
  if (!isNative) {
    for (const text of inPieces(`<execute>${JSON.stringify([call])}</execute>`)) yield { type: "text", text };
    return;
  }
  const id = `demo_${crypto.randomUUID().slice(0, 8)}`;
  const text = JSON.stringify(call.args);
  yield { type: "tool_call_delta", index: 0, id, name: call.name, arguments: "" };
  for (const piece of inPieces(text)) yield { type: "tool_call_delta", index: 0, arguments: piece };
  yield { type: "tool_call", id, name: call.name, arguments: text };
}

function inPieces(text: string): string[] {
  return text.match(/.{1,5}/gsu) ?? [];
}
