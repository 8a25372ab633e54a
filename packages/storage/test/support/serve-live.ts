import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Piece } from "@cogency/protocol/parts";
import type { Key, Live, LivePublisher } from "../../src/index.ts";
import { onLines } from "./lines.ts";

/** What a client says (see `open-live.ts`). */
export type LiveCall = { key: Key } & (
  | { call: "asks" | "leaves" }
  | { call: "publishes"; isPublishing: boolean }
  | { call: "send"; pieces: readonly Piece[] }
);
/** What the server says. */
export type LiveNews = { key: Key } & (
  | { news: "followed"; isFollowed: boolean }
  | { news: "whole" }
  | { news: "pieces"; pieces: readonly Piece[] }
);

/** Serves the live pieces of a store over loopback. */
export async function serveLive(live: Live): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const client = clientOf(live, (news) => socket.write(`${JSON.stringify(news)}\n`));
    socket.on("error", () => {}).on("close", client.leave);
    onLines(socket, (line) => client.called(JSON.parse(line) as LiveCall));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** One process, which publishes and follows in the store by what it calls. */
function clientOf(live: Live, tell: (news: LiveNews) => void) {
  const followers = new Map<string, AbortController>();
  const publishers = new Map<string, { key: Key; publisher: LivePublisher; isFollowed: boolean }>();
  const looking = setInterval(() => {
    for (const known of publishers.values()) {
      const { isFollowed } = known.publisher;
      if (isFollowed !== known.isFollowed) tell({ news: "followed", key: known.key, isFollowed });
      known.isFollowed = isFollowed;
    }
  }, 10);

  const follow = async (key: Key, signal: AbortSignal) => {
    for await (const pieces of live.follow(key, { signal })) tell({ news: "pieces", key, pieces });
  };
  return {
    called(call: LiveCall) {
      const { key } = call;
      const name = JSON.stringify(key);
      if (call.call === "asks" || call.call === "leaves") followers.get(name)?.abort();
      if (call.call === "asks") {
        const leaving = new AbortController();
        followers.set(name, leaving);
        void follow(key, leaving.signal);
      }
      if (call.call === "publishes" && call.isPublishing) {
        const whole = () => {
          tell({ news: "whole", key });
          return [];
        };
        publishers.set(name, { key, publisher: live.publisher(key, whole), isFollowed: false });
      }
      if (call.call === "publishes" && !call.isPublishing) publishers.get(name)?.publisher.close();
      if (call.call === "send") publishers.get(name)?.publisher.publish(call.pieces);
    },
    leave() {
      clearInterval(looking);
      for (const leaving of followers.values()) leaving.abort();
      for (const { publisher } of publishers.values()) publisher.close();
    },
  };
}
