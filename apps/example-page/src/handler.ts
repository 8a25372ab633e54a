import { createHash } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Agent } from "@cogency/agent";
import type { Key, Store } from "@cogency/storage";
import type { PageFiles } from "./page-files.ts";
import { readMessage } from "./read-message.ts";
import { Refusal } from "./refusal.ts";
import { firstEvent, sendEvents } from "./send-events.ts";

export interface HandlerOptions {
  agent: Pick<Agent, "send">;
  store: Pick<Store, "follow">;
  /** The conversation that the page shows. */
  key: Key;
  /** Where browsers reach the page, such as `https://notes.example`. Requests to another host and from other pages are refused. */
  origin: string;
  /**
   * The name of the sender, if they may read this conversation and answer its questions; else undefined. The server signs what
   * the sender posts, so this function alone decides whose "Yes" counts.
   */
  personOf(request: IncomingMessage): string | undefined;
  files: PageFiles;
}

/**
 * Answers four requests, and refuses all others:
 *
 * - `GET /`: the page
 * - `GET /page.js`: its script
 * - `GET /events?after=SEQ`: the log of the conversation from there on, as server-sent events, without an end
 * - `POST /messages`: puts a message into the inbox of the conversation
 */
export function createHandler({ agent, store, key, origin, personOf, files }: HandlerOptions): RequestListener {
  const { host } = new URL(origin);
  const pageHeaders = { "content-security-policy": contentSecurityPolicy(files.html) };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page elsewhere whose name leads to this address must not read or post.
    if (request.headers.host !== host) throw new Refusal(421, `Open ${origin} instead.`);
    const person = personOf(request);
    if (person === undefined) throw new Refusal(401, "Sign in first.");
    const url = URL.parse(request.url ?? "", origin) ?? new URL("/unreadable", origin);
    switch (`${request.method} ${url.pathname}`) {
      case "GET /":
        return send(response, "text/html; charset=utf-8", files.html, pageHeaders);
      case "GET /page.js":
        return send(response, "text/javascript; charset=utf-8", files.script);
      case "GET /events": {
        checkSite(request);
        return sendEvents(response, store, key, firstEvent(request, url));
      }
      case "POST /messages": {
        checkSite(request);
        // Browsers name the page that posts.
        if (request.headers.origin !== origin) throw new Refusal(403, `Only a page of ${origin} may post.`);
        await agent.send(key, await readMessage(request), { from: person });
        response.writeHead(202).end();
        return;
      }
      default:
        throw new Refusal(404, "There is nothing here.");
    }
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, error));
  };
}

/** Refuses what a page of another site makes a browser ask for. */
function checkSite({ headers }: IncomingMessage): void {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") throw new Refusal(403, "Only the page itself may ask for this.");
}

function send(response: ServerResponse, type: string, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": type, "cache-control": "no-cache", ...fixed, ...headers }).end(body);
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    // A page that follows connects again and asks for the rest.
    response.destroy();
    return;
  }
  const { status, message } = error instanceof Refusal ? error : new Refusal(500, "The server could not do this.");
  if (status === 500) console.error(error);
  // What is left of the body is not read.
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close", ...fixed })
    .end(message);
}

const fixed = { "x-content-type-options": "nosniff" };

/** Nothing but the page's own script and style runs, and no other page shows this one in a frame to borrow a click on "Yes". */
function contentSecurityPolicy(html: string): string {
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${hash}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
