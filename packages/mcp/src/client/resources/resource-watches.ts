import { startTimer, type Timer } from "@cogency/async";
import type { Client, McpSubscription } from "@modelcontextprotocol/client";
import { backoff } from "../connection/backoff.ts";
import { McpError } from "../errors.ts";
import type { ServerLink } from "../server-link.ts";

/** The resources of one server that the host wants to hear about. */
export interface ResourceWatches {
  /**
   * Begins to watch a resource; resolves once the server has agreed, with what ends it. Kept over reconnections.
   *
   * @throws McpError `not_found` for a server without subscriptions, `too_large` above a hundred, what the server answers
   */
  watch(uri: string, signal?: AbortSignal): Promise<() => Promise<void>>;
  /** Registers the handler of a client that connects, and subscribes it again once it is there. */
  attach(client: Client): void;
  restore(client: Client): Promise<void>;
  close(): void;
}

/**
 * @param changed called with the address of a watched resource, at most once a second for each; other addresses are ignored
 */
export function resourceWatches(link: ServerLink, changed: (uri: string) => void): ResourceWatches {
  const { server } = link;
  /** How often each is watched. */
  const watched = new Map<string, number>();
  const quiet = new Map<string, Timer>();
  const missed = new Set<string>();
  let stream: McpSubscription | undefined;
  let turn = Promise.resolve();
  /** How often the stream has ended since something was heard on it. */
  let failures = 0;
  let retry: Timer | undefined;

  function notice(uri: string): void {
    if (!watched.has(uri)) return;
    failures = 0;
    if (quiet.has(uri)) return void missed.add(uri);
    quiet.set(
      uri,
      startTimer(shortest, () => {
        quiet.delete(uri);
        if (missed.delete(uri)) notice(uri);
      }),
    );
    changed(uri);
  }

  /** Tells a server of 2026-07-28 all that is watched; its older stream ends. One after another. */
  function listen(client: Client): Promise<void> {
    retry?.stop();
    turn = turn
      .catch(() => {})
      .then(async () => {
        const before = stream;
        stream = undefined;
        await before?.close().catch(() => {});
        if (watched.size === 0) return;
        const opened = await client.listen({ resourceSubscriptions: [...watched.keys()] });
        stream = opened;
        void opened.closed.then((by) => {
          if (by !== "local" && stream === opened) listenLater(client);
        });
      });
    return turn;
  }

  /** A stream that the server or the way to it has ended begins again, as long as the client is the one that is connected. */
  function listenLater(client: Client): void {
    stream = undefined;
    failures += 1;
    retry = startTimer(backoff(failures), () => {
      if (link.client === client) listen(client).catch(() => listenLater(client));
    });
  }

  const isModern = (client: Client) => client.getProtocolEra() === "modern";

  async function begin(client: Client, uri: string, signal?: AbortSignal): Promise<void> {
    if (isModern(client)) await listen(client);
    else await client.subscribeResource({ uri }, { ...(signal && { signal }) });
  }

  async function end(uri: string): Promise<void> {
    const count = (watched.get(uri) ?? 0) - 1;
    if (count > 0) return void watched.set(uri, count);
    watched.delete(uri);
    quiet.get(uri)?.stop();
    quiet.delete(uri);
    missed.delete(uri);
    const { client } = link;
    if (!client) return;
    await (isModern(client) ? listen(client) : client.unsubscribeResource({ uri })).catch(() => {});
  }

  return {
    async watch(uri, signal) {
      if (watched.size >= most && !watched.has(uri)) {
        throw new McpError("too_large", server, `At most ${most} resources of the server ${server} are watched.`);
      }
      const client = await link.connected(signal);
      if (!client.getServerCapabilities()?.resources?.subscribe) {
        throw new McpError("not_found", server, `The server ${server} does not tell of changes of its resources.`);
      }
      watched.set(uri, (watched.get(uri) ?? 0) + 1);
      try {
        if (watched.get(uri) === 1) await begin(client, uri, signal);
      } catch (error) {
        await end(uri);
        signal?.throwIfAborted();
        throw link.problem(error);
      }
      let isOver = false;
      return async () => {
        if (isOver) return;
        isOver = true;
        await end(uri);
      };
    },
    attach(client) {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => notice(params.uri));
    },
    async restore(client) {
      if (watched.size === 0) return;
      if (isModern(client)) return listen(client).catch(() => {});
      await Promise.all([...watched.keys()].map((uri) => client.subscribeResource({ uri }).catch(() => {})));
    },
    close() {
      retry?.stop();
      for (const timer of quiet.values()) timer.stop();
      watched.clear();
    },
  };
}

const most = 100;
/** Milliseconds between two events about one resource. */
const shortest = 1000;
