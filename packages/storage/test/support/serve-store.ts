import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Store } from "../../src/index.ts";
import { serveLive } from "./serve-live.ts";

/** Serves a store over loopback. Other processes open it with `open-served.ts`. */
export interface ServedStore {
  port: number;
  livePort: number;
  close(): Promise<void>;
}

export async function serveStore(store: Store): Promise<ServedStore> {
  const methods = methodsOf(store);
  const live = await serveLive(store.live);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A killed process resets its connection.
    answer(socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    livePort: live.port,
    async close() {
      live.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(socket: Socket): Promise<void> {
    for await (const line of createInterface({ input: socket })) {
      const { method, args } = JSON.parse(line) as { method: keyof typeof methods; args: unknown[] };
      const answer = await (methods[method] as (...args: unknown[]) => Promise<unknown>)(...args).then(
        (value) => ({ value }),
        (error: Error) => ({ failure: { ...error, message: error.message } }),
      );
      socket.write(`${JSON.stringify(answer)}\n`);
    }
  }
}

/** The methods that the kit calls in another process. */
function methodsOf({ append, load, search, delete: remove, post, inbox, wake, claim, done, lease, slot }: Store) {
  return {
    append,
    load,
    search,
    delete: remove,
    post,
    inbox,
    wake,
    claim,
    done,
    async lease(...args: Parameters<Store["lease"]>) {
      const { owner, token, expiresAt } = await lease(...args);
      return { owner, token, expiresAt };
    },
    async slot(...args: Parameters<Store["slot"]>) {
      const taken = await slot(...args);
      return taken && { expiresAt: taken.expiresAt };
    },
  };
}
