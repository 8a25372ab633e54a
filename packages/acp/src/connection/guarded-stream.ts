import type { AnyMessage } from "@agentclientprotocol/sdk";
import type { AcpStream } from "../acp.ts";

/**
 * A stream without the messages that no editor sends: nested too deeply, or a request with the id of one that is not answered yet. They
 * get an error, and go no further.
 */
export function guardedStream({ readable, writable }: AcpStream): AcpStream {
  const writer = writable.getWriter();
  const unanswered = new Set<unknown>();
  const refuse = (message: string) =>
    writer.write({ jsonrpc: "2.0", id: null, error: { code: -32600, message: `Invalid request: ${message}` } });
  const checked = new TransformStream<AnyMessage, AnyMessage>({
    async transform(message, controller) {
      const problem = isTooDeep(message) ? "It is nested too deeply." : problemOfId(message, unanswered);
      if (problem === undefined) controller.enqueue(message);
      else await refuse(problem);
    },
  });
  const answered = new WritableStream<AnyMessage>({
    async write(message) {
      if (!("method" in message)) unanswered.delete(message.id);
      await writer.write(message);
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
  return { readable: readable.pipeThrough(checked), writable: answered };
}

function problemOfId(message: AnyMessage, unanswered: Set<unknown>): string | undefined {
  if (!("method" in message) || !("id" in message)) return undefined;
  if (unanswered.has(message.id)) return "A request with this id is not answered yet.";
  unanswered.add(message.id);
  return undefined;
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
