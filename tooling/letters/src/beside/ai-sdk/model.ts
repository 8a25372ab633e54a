import { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { MockLanguageModelV4 } from "ai/test";
import { pause, words } from "../pace.ts";

type StreamResult = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>;
type Part = StreamResult["stream"] extends globalThis.ReadableStream<infer P> ? P : never;

async function* parts(): AsyncGenerator<Part> {
  yield { type: "stream-start", warnings: [] };
  yield { type: "text-start", id: "1" };
  for (const delta of words) {
    yield { type: "text-delta", id: "1", delta };
    await sleep(pause);
  }
  yield { type: "text-end", id: "1" };
  const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
  const usage = { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: 0 } };
  yield { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage };
}

export const model = new MockLanguageModelV4({
  doStream: async () => ({ stream: ReadableStream.from(parts()) as StreamResult["stream"] }),
});
