import type { ModelMessage } from "@cogency/protocol";
import { type ModelEvent, type ModelRequest, type Provider, ProviderError, type Session } from "@cogency/provider";

/**
 * A conversation with one model. Its messages are kept here, and what they mean to the model in the context of the model, as long as no
 * other conversation needs the place.
 */
export function openSession(provider: Provider, request: ModelRequest): Session {
  let messages: readonly ModelMessage[] = [...request.messages];
  let isSending = false;
  const closing = new AbortController();

  return {
    async *send(text, { signal } = {}): AsyncGenerator<ModelEvent> {
      if (closing.signal.aborted) throw new ProviderError("connection", "The session is closed.", { retryable: false });
      if (isSending)
        throw new ProviderError("bad_request", "A message was sent before the answer to the last one ended.");
      isSending = true;
      const controller = new AbortController();
      const abort = () => controller.abort();
      for (const one of [signal, closing.signal]) {
        if (one?.aborted) abort();
        one?.addEventListener("abort", abort);
      }
      const asked: ModelMessage[] = [...messages, { role: "user", content: text }];
      let said = "";
      try {
        for await (const event of provider.stream({ ...request, messages: asked }, { signal: controller.signal })) {
          if (event.type === "text") said += event.text;
          if (event.type === "finish" && event.reason !== "aborted") {
            messages = [...asked, { role: "assistant", content: said }];
          }
          yield event;
        }
      } finally {
        for (const one of [signal, closing.signal]) one?.removeEventListener("abort", abort);
        isSending = false;
      }
    },
    async close() {
      closing.abort();
    },
  };
}
