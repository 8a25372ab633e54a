import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type Anthropic from "@anthropic-ai/sdk";
import { onTestFinished } from "vitest";

export interface WireRequest {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: Anthropic.MessageCreateParamsStreaming;
  /** The client's; another connection has another one. */
  port: number | undefined;
}

/** A server on loopback that answers as the test says, byte by byte. It is gone when the test is over. */
export async function wireServer(
  answer: (response: ServerResponse, request: WireRequest, count: number) => void,
): Promise<{ baseURL: string; requests: WireRequest[] }> {
  const requests: WireRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const sent = await text(incoming);
    const { url = "", headers, socket } = incoming;
    const request = { path: url, headers, text: sent, body: JSON.parse(sent), port: socket.remotePort };
    requests.push(request);
    answer(response, request, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Begins a successful event stream. */
export function eventStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" });
}
