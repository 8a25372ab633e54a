import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from "@modelcontextprotocol/server";
import { isRequest, type MessageBounds, messageProblem } from "./http/message-problem.ts";
import { cancelledId, idsInFlight } from "./ids-in-flight.ts";

/** A transport whose messages are checked before anything reads them. A request that does not pass has its answer at once. */
export function guardedTransport(inner: Transport, bounds: MessageBounds, onClosed: () => void): Transport {
  const ids = idsInFlight();

  function refuse(message: unknown, text: string): void {
    if (!isRequest(message)) return;
    const error = { code: -32600, message: text };
    inner.send({ jsonrpc: "2.0", id: message.id, error }).catch(() => {});
  }

  const guarded: Transport = {
    async start() {
      inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
        const problem = messageProblem(message, bounds);
        if (problem) return refuse(message, problem.message);
        const taken = ids.take([message]);
        if (taken === "repeated") return refuse(message, "A request with this id has no answer yet.");
        if (taken === "too_many") return refuse(message, "Too many requests have no answer yet.");
        if (cancelledId(message) !== undefined) ids.free(message);
        guarded.onmessage?.(message, extra);
      };
      inner.onerror = (error) => guarded.onerror?.(error);
      inner.onclose = () => {
        guarded.onclose?.();
        onClosed();
      };
      await inner.start();
    },
    async send(message: JSONRPCMessage, options?: TransportSendOptions) {
      // Until the client reads it, an answer takes part of what the client may have open.
      await inner.send(message, options).finally(() => ids.free(message));
    },
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
  };
  return guarded;
}
