import { inspect } from "node:util";
import { assert } from "./assert.ts";
import { failureOf, refusal } from "./failure-cases.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import type { ProviderCase } from "./provider-case.ts";
import { plainReply } from "./samples.ts";
import type { WireSubject } from "./subject.ts";
import { inPieces, type WireAnswer } from "./wire-server.ts";

/** The key goes to the server and nowhere else. */
export const secretCases: ProviderCase[] = [
  {
    name: "the API key reaches the server, and no event and no error, wherever the server quotes it",
    on: "wire",
    async check(subject) {
      for (const [place, answer] of quotes(subject)) {
        const outcome = await outcomeOf(subject.answeredBy(answer).stream(subject.request), subject.patience);
        assert(!told(outcome).includes(subject.apiKey), `The key is told when the server quotes it in ${place}.`);
      }
      const { request } = subject.server.exchanges.at(-1) ?? {};
      const isSent = JSON.stringify([request?.headers, request?.path]).includes(subject.apiKey);
      assert(isSent, "The key must reach the server in a header.");
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
  const page = `<html>${apiKey}</html>`;
  return [
    ...refusals,
    ["a page of an HTTP 502", inPieces([page], { status: 502, headers: { "content-type": "text/html" } })],
    ["a web page", inPieces([page], { headers: { "content-type": "text/html", ...header } })],
    ["a frame that is no JSON", pieces([...half, `data: {"key": ${apiKey}\n\n`])],
    ["a frame that is not of the wire", pieces([...half, `data: {"error": "${apiKey}"}\n\n`])],
    ["a broken connection's last words", pieces([...half, `data: ${apiKey}`], "destroy")],
    ...(wire.failure
      ? [["a failure", pieces([...half, failureOf(wire, `No ${apiKey}!`)])] satisfies [string, WireAnswer]]
      : []),
  ];
}

/** Everything that a careless logger could print. */
function told({ events, error }: Outcome): string {
  const details = inspect(error, { showHidden: true, depth: Number.POSITIVE_INFINITY, maxStringLength: null });
  const stack = error instanceof Error ? error.stack : "";
  return [JSON.stringify(events), JSON.stringify(error), String(error), stack, details].join("\n");
}
