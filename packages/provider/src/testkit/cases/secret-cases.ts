import { inspect } from "node:util";
import { assert, assertEqual } from "@cogency/protocol/testkit";
import { assertProviderError } from "../assert-provider-error.ts";
import type { ProviderCase } from "../provider-case.ts";
import { plainReply, replyOf, text } from "../samples.ts";
import { readStream, type StreamContent } from "../stream-content.ts";
import type { WireSubject } from "../subject.ts";
import { inPieces, startWireServer, type WireAnswer } from "../wire-server.ts";
import { failureOf, refusal } from "./failure-cases.ts";

/** The key is sent to the server and nowhere else. */
export const secretCases: ProviderCase[] = [
  {
    name: "the API key reaches the server, and no event and no error, wherever the server quotes it",
    on: "wire",
    async check(subject) {
      for (const [place, answer] of quotes(subject)) {
        const content = await readStream(subject.answeredBy(answer).stream(subject.request), subject.patience);
        const words = printed(content);
        for (const { how, core } of spellings(subject.apiKey)) {
          assert(
            !words.includes(core),
            `An event or an error holds the key, ${how}, if the server quotes it in ${place}.`,
          );
        }
      }
      const { request } = subject.server.exchanges.at(-1) ?? {};
      const isSent = JSON.stringify([request?.headers, request?.path]).includes(subject.apiKey);
      assert(isSent, "The key must reach the server in a header.");
    },
  },
  {
    name: "an error does not hold the API key in its partial text, also if it came in pieces",
    on: "wire",
    async check(subject) {
      const { apiKey, wire } = subject;
      for (const cut of [0, Math.floor(apiKey.length / 2), apiKey.length - 1]) {
        const parts = ["Yours is ", apiKey.slice(0, cut), apiKey.slice(cut), " I think."].map(text);
        for (const count of [3, 4]) {
          const frames = wire.answer(
            replyOf(parts.filter((part) => !("text" in part) || part.text !== "").slice(0, count)),
          );
          const answer = subject.pieces(frames.slice(0, -1), "destroy");
          const { error } = await readStream(subject.answeredBy(answer).stream(subject.request), subject.patience);
          assert(
            !printed({ events: [], error }).includes(apiKey),
            "The error of an answer that breaks off holds the key.",
          );
        }
      }
    },
  },
  {
    name: "a redirect is not followed: neither key nor conversation go to another server",
    on: "wire",
    async check(subject) {
      const other = await startWireServer();
      try {
        other.respond(subject.pieces(subject.wire.answer(plainReply)));
        for (const status of [301, 302, 303, 307, 308]) {
          const what = `HTTP ${status}`;
          const location = `${other.url}/path?key=${subject.apiKey}`;
          const answer = inPieces([], { status, headers: { location } });
          const { error } = await readStream(subject.answeredBy(answer).stream(subject.request), subject.patience);
          assertEqual(other.exchanges.length, 0, `${what}: the number of requests to the other server`);
          assertProviderError(error, what, { retryable: false, words: other.url });
          assert(
            !printed({ events: [], error }).includes("/path"),
            `${what}: the error must name only the origin of the other address.`,
          );
        }
      } finally {
        await other.close();
      }
    },
  },
];

function quotes({ apiKey, wire, pieces }: WireSubject): [place: string, WireAnswer][] {
  const frames = wire.answer(plainReply);
  const half = frames.slice(0, Math.ceil(frames.length / 2));
  const header = { "x-request-id": apiKey, "www-authenticate": `Bearer key="${apiKey}"` };
  const json = { "content-type": "application/json", ...header };
  const refusals = [400, 401, 403, 404, 429, 500].map((status): [string, WireAnswer] => [
    `the body of HTTP ${status}`,
    inPieces([refusal(wire, status, `The key ${apiKey} will not do: Bearer ${apiKey}.`)], { status, headers: json }),
  ]);
  const spelled = spellings(apiKey).map(({ how, quoted }): [string, WireAnswer] => [
    `the body of a refusal, ${how}`,
    inPieces([refusal(wire, 400, `The key ${quoted} will not do.`)], { status: 400, headers: json }),
  ]);
  const page = `<html>${apiKey}</html>`;
  return [
    ...refusals,
    ...spelled,
    ["the words of a status", inPieces([], { status: 403, headers: json, statusText: `No ${apiKey}` })],
    ["a page of an HTTP 502", inPieces([page], { status: 502, headers: { "content-type": "text/html" } })],
    ["a web page", inPieces([page], { headers: { "content-type": "text/html", ...header } })],
    ["a type of content", inPieces([page], { headers: { "content-type": `text/${apiKey}` } })],
    ["a frame that is no JSON", pieces([...half, `data: {"key": ${apiKey}\n\n`])],
    ["a frame that is not of the wire", pieces([...half, `data: {"error": "${apiKey}"}\n\n`])],
    ["a broken connection's last words", pieces([...half, `data: ${apiKey}`], "destroy")],
    ...(wire.failure
      ? [["a failure", pieces([...half, failureOf(wire, `No ${apiKey}!`)])] satisfies [string, WireAnswer]]
      : []),
  ];
}

/** The spellings in which servers and libraries quote a key, and for each the part that identifies the key. */
function spellings(key: string): { how: string; quoted: string; core: string }[] {
  const bytes = Buffer.from(key);
  const each = (spell: (byte: number) => string) => Array.from(bytes, spell).join("");
  const withScheme = Buffer.from(`Bearer ${key}`).toString("base64");
  return [
    { how: "as it is", quoted: key },
    { how: "as an address escapes it", quoted: each((byte) => `%${byte.toString(16)}`) },
    { how: "as an address escapes it twice", quoted: each((byte) => `%25${byte.toString(16).toUpperCase()}`) },
    { how: "as JSON escapes it", quoted: each((byte) => `\\u00${byte.toString(16)}`) },
    { how: "as HTML escapes it", quoted: each((byte) => `&#${byte};`) },
    { how: "in base64", quoted: bytes.toString("base64url") },
    { how: "in base64 with the scheme", quoted: withScheme, core: withScheme.slice(12, -4) },
    { how: "in hexadecimal", quoted: bytes.toString("hex") },
  ].map((spelling) => ({ core: spelling.quoted, ...spelling }));
}

/** Everything that a careless logger could print. */
function printed({ events, error }: StreamContent): string {
  const details = inspect(error, { showHidden: true, depth: Number.POSITIVE_INFINITY, maxStringLength: null });
  const stack = error instanceof Error ? error.stack : "";
  return [JSON.stringify(events), JSON.stringify(error), String(error), stack, details].join("\n");
}
