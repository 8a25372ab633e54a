import { callback, checkOptions, having, type OptionTable, text, wrongOption } from "@cogency/protocol/options";
import type { Dispatcher } from "@cogency/worker";
import { connectTo, type RedisClient } from "./client.ts";
import { keysOf, putWake } from "./wakes.ts";
import { workOn } from "./work-on.ts";

export type { RedisClient } from "./client.ts";

export type RedisDispatcherOptions = RedisConnection & {
  /** The name of the two sorted sets in which wakes wait: `{cogency}:wakes` and `{cogency}:later`. Defaults to `"cogency"`. */
  name?: string | undefined;
};

export type RedisConnection =
  | {
      /** The address of the server, such as `redis://user:password@host:6379/0`, or `rediss://` with TLS. */
      url: string;
      client?: undefined;
      /** Called with each warning, one sentence. Defaults to `console.warn`. */
      warn?: ((message: string) => void) | undefined;
    }
  | {
      /** A connected client of `redis` or `@redis/client`. `close` leaves it open. Each worker opens a duplicate of it. */
      client: RedisClient;
      url?: undefined;
    };

export interface RedisDispatcher extends Dispatcher {
  /** Ends the connection, if there was no `client`. Workers on it must have been drained. */
  close(): Promise<void>;
}

/**
 * Wakes workers through a Redis or Valkey server. What is due stands in the store, so the server need not keep anything over a restart.
 *
 * @throws Error if the server cannot be reached; TypeError for wrong options
 */
export async function redisDispatcher(options: RedisDispatcherOptions): Promise<RedisDispatcher> {
  checkOptions("redisDispatcher", options, optionKinds);
  if (options.url === undefined && options.client === undefined) {
    throw wrongOption(TypeError, "url", "redisDispatcher needs `url`, the address of the server, or `client`.");
  }
  const { name = "cogency" } = options;
  const { client, close } = options.client
    ? { client: options.client, close: async () => {} }
    : await connectTo(options.url, options.warn ?? console.warn);
  const keys = keysOf(name);
  return {
    wake: (key, { at }) => putWake(client, keys, { key, at }),
    work: (handler) => workOn(client, keys, handler),
    close,
  };
}

const optionKinds: OptionTable<Record<OptionName, unknown>> = {
  url: { ...text, wanted: "the address of the server, such as `redis://host:6379`" },
  client: having("a connected client of `redis`", "sendCommand", "duplicate"),
  name: text,
  warn: callback,
};

/** The names of the options with either of both. */
type OptionName = RedisDispatcherOptions extends infer Options
  ? Options extends unknown
    ? keyof Options
    : never
  : never;
