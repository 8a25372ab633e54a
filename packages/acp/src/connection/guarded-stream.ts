import type { AnyMessage, JsonRpcId, Stream } from "@agentclientprotocol/sdk";
import type { AcpStream } from "../acp.ts";
import { visibleLines } from "../out/visible-text.ts";

/**
 * A stream without the messages that no editor sends: nested too deeply, or a request with the id of one that is not answered yet. They
 * get an error, and go no further. Errors on their way out are bounded, and hold nothing that a screen does not show.
 */
export function guardedStream({ readable, writable }: AcpStream): Stream {
  const writer = writable.getWriter();
  const unanswered = new Set<unknown>();
  const refuse = (id: JsonRpcId, message: string) =>
    writer.write({ jsonrpc: "2.0", id, error: { code: -32600, message: `Invalid request: ${message}` } });
  const checked = new TransformStream<AnyMessage, AnyMessage>({
    async transform(message, controller) {
      const id = requestId(message);
      if (isTooDeep(message)) return refuse(id ?? null, "It is nested too deeply.");
      if (id !== undefined) {
        // With its own id, the answer would be one to the first request.
        if (unanswered.has(id)) return refuse(null, "A request with this id is not answered yet.");
        if (unanswered.size >= mostUnanswered) return refuse(id, "Too many requests are not answered yet.");
        unanswered.add(id);
      }
      controller.enqueue(message);
    },
  });
  const answered = new WritableStream<AnyMessage>({
    async write(message) {
      if (!("method" in message)) unanswered.delete(message.id);
      await writer.write(shown(message));
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
  return { readable: (readable as ReadableStream<AnyMessage>).pipeThrough(checked), writable: answered };
}

/** Errors hold words of the editor, and of whatever has failed. */
function shown(message: AnyMessage): AnyMessage {
  if (!("error" in message)) return message;
  const { error } = message;
  return { ...message, error: { ...error, message: visibleLines(error.message, 2000) } };
}

/** Undefined for what is no request. */
function requestId(message: unknown): JsonRpcId | undefined {
  if (typeof message !== "object" || message === null || !("method" in message) || !("id" in message)) return undefined;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" || id === null ? id : undefined;
}

function isTooDeep(value: unknown): boolean {
  const rest: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let one = rest.pop(); one; one = rest.pop()) {
    if (typeof one.value !== "object" || one.value === null) continue;
    if (one.depth >= deepest) return true;
    for (const inner of Object.values(one.value)) rest.push({ value: inner, depth: one.depth + 1 });
  }
  return false;
}

const deepest = 100;
const mostUnanswered = 1000;
