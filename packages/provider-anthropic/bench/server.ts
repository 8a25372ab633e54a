import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { wire } from "@tooling/wires/messages";

/** Answers every request with so many deltas, in its own process, so that its work is not measured. */
const deltas = Number(process.argv[2]);
const answer = wire
  .answer({
    parts: Array.from({ length: deltas }, () => ({ type: "text" as const, text: "word" })),
    usage: { input: 10, output: deltas, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    finish: "stop",
  })
  .join("");
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" }).end(answer);
}).listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
