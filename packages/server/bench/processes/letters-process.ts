import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgent } from "@cogency/agent";
import type { Piece } from "@cogency/protocol/parts";
import { scripted } from "@cogency/provider";
import { anonymousUser, createHandler } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { type LivePublisher, memoryStore } from "@cogency/storage";

// `node --expose-gc letters-process.ts CONVERSATIONS BEFORE`: a server whose conversations are being written, each 30 times a second,
// after so many stored events of 20,000 characters. It sends its port, and for each message that it gets the bytes of its heap and of its
// memory, and the number of conversations whose letters somebody follows.
const [conversations = 0, eventsBefore = 0] = process.argv.slice(2).map(Number);
const store = memoryStore();
const agent = createAgent({ provider: scripted([]), store });
const none = Number.POSITIVE_INFINITY;
const handler = createHandler({
  agent,
  store,
  authenticate: () => ({ id: anonymousUser }),
  limits: { requests: none, streams: none },
});

const publishers: LivePublisher[] = [];
for (let at = 0; at < conversations; at++) await write(`${at}`, (1000 / 30 / conversations) * at);

/** Writes units of 600 letters, each of which is stored when it is whole. */
async function write(conversation: string, delay: number): Promise<void> {
  const key = { conversation };
  let [seq, unit, text] = [0, 1, ""];
  for (let at = 0; at < eventsBefore; at++)
    seq = await store.append(key, [{ type: "respond", content: `${at}`.padEnd(20_000, "x"), timestamp: 1 }]);
  const piece = (offset: number): Piece => ({ type: "text", run: "r", seq, unit, offset, text: text.slice(offset) });
  const publisher = store.live.publisher(key, () => (text === "" ? [] : [piece(0)]));
  publishers.push(publisher);
  const frame = async () => {
    const before = text.length;
    // The time at which the letters were written, for whoever measures.
    text += `${Date.now()} `.padEnd(20, "x");
    if (publisher.isFollowed) publisher.publish([piece(before)]);
    if (text.length < 600) return;
    const content = text;
    unit++;
    text = "";
    seq = await store.append(key, [{ type: "respond", content, timestamp: Date.now() / 1000 }]);
  };
  setTimeout(() => setInterval(() => void frame(), 1000 / 30), delay);
}

const server = createServer(nodeListener(handler));
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("message", () => {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, rss, external, arrayBuffers } = process.memoryUsage();
  const followed = publishers.filter(({ isFollowed }) => isFollowed).length;
  process.send?.({ heap: heapUsed + external + arrayBuffers, rss, followed });
});
