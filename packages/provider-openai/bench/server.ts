import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelReply } from "@cogency/provider/testkit";
import { chatWire } from "@tooling/wires/chat";
import { responsesWire } from "../test/support/responses-wire.ts";

/** Answers every request with so many deltas, in its own process, so that its work is not measured. */
const deltas = Number(process.argv[2]);
const reply: ModelReply = {
  parts: Array.from({ length: deltas }, () => ({ type: "text", text: "word" })),
  usage: { input: 10, output: deltas, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  finish: "stop",
};
const chat = chatWire.answer(reply).join("");
const responses = responsesWire.answer(reply).join("");
const server = createServer((request, response) => {
  request.resume();
  response
    .writeHead(200, { "content-type": "text/event-stream" })
    .end(request.url?.endsWith("/responses") ? responses : chat);
}).listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
