import { Readable, type Writable } from "node:stream";
import type { Acp } from "../acp.ts";
import { messageStream } from "./message-stream.ts";
import { ownDescriptors } from "./own-process.ts";

/**
 * Serves the editor that has started this process, over its stdin and stdout. From the call on, stdout is for messages alone: what else
 * the process prints, by `console` or by writing to `process.stdout`, goes to stderr. What writes to the descriptor itself is caught in
 * `inOwnProcess`.
 *
 * @returns when stdin has ended or the pipe is broken, and nothing of the sessions is at work any more. The process may exit then
 */
export async function serveOverStdio(acp: Acp): Promise<void> {
  const own = ownDescriptors();
  const { output, broken } = bytesTo(own?.messages ?? process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const connection = acp.connect(messageStream(output, input, mostBytes));
  void Promise.race([broken, ...(own ? [own.left] : [])]).then(() => connection.close());
  await connection.closed;
  own?.messages.destroy();
}

/** Writes of a stream, which others may not use from then on. */
function bytesTo(stream: Writable): { output: WritableStream<Uint8Array>; broken: Promise<void> } {
  const write: (bytes: Uint8Array, done: (error?: Error | null) => void) => boolean = stream.write.bind(stream);
  const { promise: broken, resolve } = Promise.withResolvers<void>();
  // A pipe that nobody reads any more.
  stream.on("error", () => resolve());
  const output = new WritableStream<Uint8Array>({
    write: (bytes) =>
      new Promise((done, fail) => {
        write(bytes, (error) => {
          if (error) resolve();
          if (error) fail(error);
          else done();
        });
      }),
  });
  return { output, broken };
}

/** Bytes of one message: a prompt with some large images. */
const mostBytes = 32 * 1024 * 1024;
