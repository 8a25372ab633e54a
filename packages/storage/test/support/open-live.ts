import { createConnection } from "node:net";
import type { Key } from "@cogency/storage";
import { liveHub } from "@cogency/storage/adapter";
import { onLines } from "./lines.ts";
import type { LiveCall, LiveNews } from "./serve-live.ts";

/** The live pieces of a store that `serve-live.ts` serves, through a link. */
export function openLive(port: number) {
  const socket = createConnection({ port, host: "127.0.0.1" });
  const say = (call: LiveCall) => void socket.write(`${JSON.stringify(call)}\n`);
  const followed = new Set<string>();
  const hub = liveHub({
    asks: (key) => say({ call: "asks", key }),
    leaves: (key) => say({ call: "leaves", key }),
    publishes: (key, isPublishing) => say({ call: "publishes", key, isPublishing }),
    isFollowed: (key) => followed.has(JSON.stringify(key)),
    send: (key, pieces) => say({ call: "send", key, pieces }),
  });
  const sendWhole = (key: Key) => say({ call: "send", key, pieces: hub.whole(key) });
  onLines(socket, (line) => {
    const news = JSON.parse(line) as LiveNews;
    const name = JSON.stringify(news.key);
    if (news.news === "pieces") hub.receive(news.key, news.pieces);
    if (news.news === "whole") sendWhole(news.key);
    if (news.news === "followed" && !news.isFollowed) followed.delete(name);
    if (news.news === "followed" && news.isFollowed) {
      followed.add(name);
      sendWhole(news.key);
    }
  });
  return hub.live;
}
