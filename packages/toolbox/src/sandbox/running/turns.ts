import { createServer, type Server } from "node:net";
import { errorCode } from "../../system-error.ts";

/**
 * Waits until no other command of this user is entering a sandbox, in any process. Other commands wait until the returned
 * function is called. The turn is a socket name in the kernel, which becomes free when its process dies.
 *
 * @throws the reason of `signal`
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
    const server = await claimName(signal);
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

async function claimName(signal: AbortSignal | undefined): Promise<Server> {
  for (;;) {
    signal?.throwIfAborted();
    const server = await tryClaim().catch((error: unknown) => {
      if (errorCode(error) !== "EADDRINUSE") throw error;
    });
    if (server) return server;
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
}

/** Milliseconds; a turn takes about 30. */
const pollInterval = 3;

function tryClaim(): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path: `\0cogency-sandbox-${process.geteuid?.()}`, exclusive: true }, () => resolve(server.unref()));
  });
}
