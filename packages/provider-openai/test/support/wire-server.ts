import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server on loopback that answers as the test says, byte by byte. It is gone when the test is over. */
export async function wireServer(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<{ baseURL: string }> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

/** Begins a successful event stream. */
export function eventStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" });
}
