import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { serve } from "./serve.ts";

export interface WireRequest<Body = Record<string, unknown>> {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: Body;
  /** The client's port, which differs between connections. */
  port: number | undefined;
}

/** A model server on loopback that answers as the test says, byte by byte, until the test has finished. It reads requests of JSON. */
export async function wireServer<Body = Record<string, unknown>>(
  answer: (response: ServerResponse, request: WireRequest<Body>, count: number) => void,
): Promise<{ baseURL: string; requests: WireRequest<Body>[] }> {
  const requests: WireRequest<Body>[] = [];
  const { url: baseURL } = await serve(async (incoming, response) => {
    const sent = await text(incoming);
    const { url = "", headers, socket } = incoming;
    const request = { path: url, headers, text: sent, body: JSON.parse(sent), port: socket.remotePort };
    requests.push(request);
    answer(response, request, requests.length);
  });
  return { baseURL, requests };
}

/** Begins a successful event stream. */
export function eventStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" });
}
