import type { ServerResponse } from "node:http";
import { event, json, stream } from "./responses.ts";

/** Answers that quote the key of the request. */
export type Echo = [
  name: string,
  provider: "chat" | "responses" | "anthropic" | "google",
  answer: (key: string, response: ServerResponse) => unknown,
];

export const echoes: readonly Echo[] = [
  [
    "in an error's message",
    "chat",
    (key, response) => json(response, 400).end(JSON.stringify({ error: { message: `Bad key ${key}`, code: key } })),
  ],
  [
    "in the key of an error's object",
    "chat",
    (key, response) => json(response, 400).end(JSON.stringify({ error: { [key]: "is bad" } })),
  ],
  [
    "in an error's message, with a suffix",
    "responses",
    (key, response) =>
      json(response, 401).end(JSON.stringify({ error: { message: `Incorrect API key provided: ${key}xyz.` } })),
  ],
  [
    "in an error that is no JSON",
    "anthropic",
    (key, response) =>
      response.writeHead(500, { "content-type": "text/html" }).end(`<pre>Authorization: Bearer ${key}</pre>`),
  ],
  [
    "in an error's message",
    "google",
    (key, response) =>
      json(response, 400).end(
        JSON.stringify({ error: { code: 400, message: `Bad ${key}`, details: [{ reason: "API_KEY_INVALID" }] } }),
      ),
  ],
  [
    "in an event of error",
    "google",
    (key, response) => stream(response).end(`data: ${JSON.stringify({ error: { code: 500, [key]: key } })}\n\n`),
  ],
  ["in the status text", "chat", (key, response) => response.writeHead(418, `no ${key}`).end()],
  [
    "in a header",
    "chat",
    (key, response) => response.writeHead(429, { "retry-after": "0", "x-debug": key, "content-type": key }).end("{}"),
  ],
  [
    "in a redirect",
    "chat",
    (key, response) => response.writeHead(307, { location: `http://127.0.0.1:9/?k=${key}` }).end(),
  ],
  ["in an event that is no JSON", "chat", (key, response) => stream(response).end(`data: {"x": ${key}\n\n`)],
  [
    "in an event of error",
    "anthropic",
    (key, response) =>
      stream(response).end(event("error", { type: "error", error: { type: "api_error", message: `key ${key}` } })),
  ],
  [
    "in a stream that breaks off",
    "responses",
    (key, response) => {
      stream(response).write(event("error", { type: "error", message: key, code: key }));
      response.destroy();
    },
  ],
  [
    "in escapes",
    "chat",
    (key, response) =>
      json(response, 400).end(
        `{"error":{"message":"${[...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}}`,
      ),
  ],
  [
    "beside another's key",
    "chat",
    (key, response) =>
      json(response, 400).end(
        JSON.stringify({ error: { message: `${key} ${key.toUpperCase()} ${encodeURIComponent(key)}` } }),
      ),
  ],
];
