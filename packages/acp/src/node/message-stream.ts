import type { AnyMessage } from "@agentclientprotocol/sdk";
import type { AcpStream } from "../acp.ts";
import { Line } from "./line.ts";
import { longMessage } from "./long-message.ts";

/**
 * The messages of two streams of bytes: one a line, as JSON. A line that is no object gets an error. One that is too long is skipped to its
 * end: a request gets an error, and the request of the agent that it answers fails.
 */
export function messageStream(
  output: WritableStream<Uint8Array>,
  input: ReadableStream<Uint8Array>,
  mostBytes: number,
): AcpStream {
  const writer = output.getWriter();
  const encoder = new TextEncoder();
  const write = (message: AnyMessage) => writer.write(encoder.encode(`${JSON.stringify(message)}\n`));
  const line = new Line(mostBytes);

  async function end(controller: TransformStreamDefaultController<AnyMessage>): Promise<void> {
    const ended = line.end();
    if ("text" in ended) {
      const { message, problem } = readMessage(ended.text);
      if (problem) await write(problem);
      if (message) controller.enqueue(message);
      return;
    }
    const { to, message } = longMessage(ended.head, ended.tail, mostBytes);
    if (to === "editor") await write(message);
    else controller.enqueue(message);
  }

  const lines = new TransformStream<Uint8Array, AnyMessage>({
    async transform(bytes, controller) {
      let rest = bytes;
      for (let at = rest.indexOf(newline); at >= 0; at = rest.indexOf(newline)) {
        line.add(rest.subarray(0, at));
        await end(controller);
        rest = rest.subarray(at + 1);
      }
      line.add(rest);
    },
    flush: (controller) => (line.size > 0 ? end(controller) : undefined),
  });
  const writable = new WritableStream<AnyMessage>({
    write,
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
  return { readable: input.pipeThrough(lines), writable };
}

function readMessage(text: string): { message?: AnyMessage; problem?: AnyMessage } {
  if (text.trim() === "") return {};
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message === "object" && message !== null && !Array.isArray(message))
      return { message: message as AnyMessage };
    return { problem: problem(-32600, "Invalid request: A message is one JSON object in a line.") };
  } catch {
    return { problem: problem(-32700, "Parse error: The line is no JSON.") };
  }
}

function problem(code: number, message: string): AnyMessage {
  return { jsonrpc: "2.0", id: null, error: { code, message } };
}

const newline = 10;
