import { Readable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import type { Acp } from "../acp.ts";

/**
 * Serves the editor that has started this process, over its stdin and stdout. From the call on, stdout is for messages alone: what else
 * the process prints, by `console` or by writing to `process.stdout`, goes to stderr.
 *
 * @returns when stdin has ended or the pipe is broken, and nothing of the sessions is at work any more. The process may exit then
 */
export async function serveOverStdio(acp: Acp): Promise<void> {
  const { output, broken } = takeStdout();
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const connection = acp.connect(ndJsonStream(output, input, { maxMessageBytes: mostBytes }));
  void broken.then(() => connection.close());
  await connection.closed;
}

/** Takes stdout for messages. */
function takeStdout(): { output: WritableStream<Uint8Array>; broken: Promise<void> } {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const { promise: broken, resolve } = Promise.withResolvers<void>();
  // A pipe that nobody reads any more.
  stdout.on("error", () => resolve());
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
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
