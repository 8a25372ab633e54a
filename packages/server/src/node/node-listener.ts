import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { callback, checkOption, required } from "@cogency/protocol/options";
import type { Handler } from "../handler.ts";

/**
 * Lets a handler answer the requests of a server of `node:http` or `node:https`. A response is written no faster than its reader
 * takes it; when the reader leaves, `signal` of the request aborts and the body of the response is cancelled.
 */
export function nodeListener(handler: Handler): RequestListener {
  checkOption("nodeListener", "handler", handler, required(callback));
  return (incoming, outgoing) => {
    answer(handler, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

async function answer(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const leaving = new AbortController();
  outgoing.once("close", () => leaving.abort());
  const request = requestOf(incoming, leaving.signal);
  if (!request) {
    outgoing.writeHead(400).end();
    return;
  }
  const response = await handler(request);
  await send(response, outgoing, leaving.signal);
  // A connection that is closed before its client has sent everything may take the response with it.
  if (!incoming.complete) await dropRest(incoming);
  outgoing.end(() => {
    if (!incoming.complete) incoming.destroy();
  });
}

/** Undefined for a request without a readable address, and for a method that the Web platform does not have. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "", url = "", rawHeaders } = incoming;
  const [host = "", another] = incoming.headersDistinct.host ?? [];
  // A proxy would be asked with a whole address.
  if (!url.startsWith("/") || another !== undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  const protocol = "encrypted" in incoming.socket ? "https" : "http";
  try {
    const headers = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    const hasBody = method !== "GET" && method !== "HEAD";
    const body = hasBody ? bodyOf(incoming) : null;
    return new Request(`${protocol}://${host}${url}`, {
      method,
      headers,
      body,
      signal,
      ...(body && { duplex: "half" }),
    });
  } catch {
    return undefined;
  }
}

/** Leaves the connection open when it is cancelled: the response to a body that is not read goes the same way. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        // May be in the middle of a wait for a chunk that never comes.
        chunks.return?.().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

async function send({ status, headers, body }: Response, outgoing: ServerResponse, left: AbortSignal): Promise<void> {
  outgoing.statusCode = status;
  for (const [name, value] of headers) if (name !== "set-cookie") outgoing.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.flushHeaders();
  if (!body) return;
  const reader = body.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  if (left.aborted) leave();
  left.addEventListener("abort", leave);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!outgoing.write(value) && !left.aborted) await once(outgoing, "drain", { signal: left }).catch(() => {});
  }
}

/** Drops what is left of a body that the handler did not read, until it ends or takes too long. */
function dropRest(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestRest);
    incoming
      .once("close", resolve)
      .once("end", resolve)
      .once("error", () => {});
    incoming.once("close", () => clearTimeout(timer)).once("end", () => clearTimeout(timer));
    incoming.resume();
  });
}

/** Milliseconds. */
const longestRest = 1000;
