import { createServer, type Server } from "node:net";
import { errorCode } from "../../system-error.ts";

/**
 * Waits until no other command of this user is being put into a sandbox, in this process or in another one, and keeps
 * others waiting until the answer is called. The system ends the turn of a process that dies: what is held is a name of
 * the kernel, which is free again when the process that has it is gone.
 *
 * @throws what `signal` is aborted with
 */
export async function takeTurn(signal?: AbortSignal): Promise<() => Promise<void>> {
  const before = last;
  let done = () => {};
  const over = new Promise<void>((resolve) => {
    done = resolve;
  });
  last = before.then(() => over);
  await before;
  try {
    const server = await named(signal);
    let isOver = false;
    return async () => {
      if (isOver) return;
      isOver = true;
      await new Promise((resolve) => server.close(resolve));
      done();
    };
  } catch (error) {
    done();
    throw error;
  }
}

let last: Promise<void> = Promise.resolve();

async function named(signal: AbortSignal | undefined): Promise<Server> {
  for (;;) {
    signal?.throwIfAborted();
    const server = await bound().catch((error: unknown) => {
      if (errorCode(error) !== "EADDRINUSE") throw error;
    });
    if (server) return server;
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
}

/** Milliseconds; a turn takes some thirty. */
const pollInterval = 3;

function bound(): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path: `\0cogency-sandbox-${process.geteuid?.()}`, exclusive: true }, () => resolve(server.unref()));
  });
}
