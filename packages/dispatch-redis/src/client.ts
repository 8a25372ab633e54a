import { createClient } from "@redis/client";

/** What is used of a client of `redis` or `@redis/client`, in any version with this method. */
export interface RedisClient {
  sendCommand(args: string[]): Promise<unknown>;
  duplicate(): RedisClient & {
    readonly isOpen: boolean;
    connect(): Promise<unknown>;
    destroy(): void;
    on(event: "error", listener: (error: Error) => void): unknown;
  };
}

/**
 * A client that fails at once while there is no connection, and connects again by itself.
 *
 * @throws Error if it cannot connect at first
 */
export async function connectTo(
  url: string,
  warn: (message: string) => void,
): Promise<{ client: RedisClient; close(): Promise<void> }> {
  let hasConnected = false;
  let isTold = false;
  const client = createClient({
    url,
    disableOfflineQueue: true,
    // A server that says nothing for so long although it is asked is gone.
    pingInterval: 3000,
    socket: {
      socketTimeout: 10_000,
      reconnectStrategy: (retries, cause) => (hasConnected ? Math.min(50 * 2 ** retries, 1000) : cause),
    },
  });
  client.on("ready", () => {
    hasConnected = true;
    isTold = false;
  });
  // Without a listener, an error would end the process.
  client.on("error", (error: Error) => {
    if (hasConnected && !isTold) warn(`The connection to Redis broke, and is tried again: ${error.message}`);
    isTold = true;
  });
  await client.connect();
  return {
    client,
    close: async () => client.destroy(),
  };
}
