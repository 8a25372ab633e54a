import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { assert, assertEqual } from "@cogency/protocol/testkit";
import { isRetryable, type ProviderErrorCode } from "../../errors.ts";
import { assertProviderError, type ExpectedError } from "../assert-provider-error.ts";
import type { Wire } from "../harness.ts";
import type { ProviderCase } from "../provider-case.ts";
import { plainReply, textIn } from "../samples.ts";
import { readStream, textOf } from "../stream-content.ts";
import type { WireSubject } from "../subject.ts";
import { inPieces, type WireAnswer } from "../wire-server.ts";

const statuses: readonly [status: number, code: ProviderErrorCode][] = [
  [400, "bad_request"],
  [401, "authentication"],
  [403, "permission"],
  [404, "not_found"],
  [408, "timeout"],
  [413, "bad_request"],
  [422, "bad_request"],
  [429, "rate_limit"],
  [500, "server"],
  [503, "overloaded"],
  [529, "overloaded"],
];

const failureWords = "The server has failed.";

const endings = { end: "the end of the body", destroy: "a broken connection" };

/** Servers that refuse, fail and break off. */
export const failureCases: ProviderCase[] = [
  {
    name: "each HTTP status that is no success is its error code",
    on: "wire",
    async check(subject) {
      for (const [status, code] of statuses) {
        const error = await refusalOf(subject, status, {});
        assertProviderError(error, `HTTP ${status}`, {
          codes: [code],
          retryable: isRetryable(code),
          words: "Because.",
        });
        assertEqual(error.status, status, "`status` of the error");
      }
    },
  },
  {
    name: "`retryAfter` is in seconds, from milliseconds, seconds or a date",
    on: "wire",
    async check(subject) {
      const date = new Date(Date.now() + 600_000).toUTCString();
      const headers: [Record<string, string>, from: number, to: number][] = [
        [{ "retry-after-ms": "1500", "retry-after": "9" }, 1.4, 1.5],
        [{ "retry-after": "7" }, 6.9, 7],
        [{ "retry-after": date }, 500, 601],
      ];
      for (const [header, from, to] of headers) {
        const what = JSON.stringify(header);
        const error = await refusalOf(subject, 429, header);
        assertProviderError(error, what, { codes: ["rate_limit"] });
        const seconds = error.retryAfter ?? Number.NaN;
        assert(seconds >= from && seconds <= to, `${what}: \`retryAfter\` must be about ${from}, and is ${seconds}.`);
      }
    },
  },
  {
    name: "a server that cannot be reached is `connection`",
    on: "wire",
    async check(subject) {
      const stream = subject.provider({ url: await deadAddress() }).stream(subject.request);
      const { error } = await readStream(stream, subject.patience);
      assertProviderError(error, "a refused connection", { codes: ["connection"], retryable: true });
    },
  },
  {
    name: "a web page instead of an answer is `bad_response`",
    on: "wire",
    async check(subject) {
      const page = "<!doctype html>\n<html><body>Welcome!\n\n</body></html>\n";
      const answer = inPieces([page], { headers: { "content-type": "text/html; charset=utf-8" } });
      const { error } = await readStream(subject.answeredBy(answer).stream(subject.request), subject.patience);
      assertProviderError(error, "a web page", { codes: ["bad_response"], retryable: false });
    },
  },
  {
    name: "a failure told in the middle of an answer is an error with the partial text",
    on: "wire",
    needs: ["failure"],
    async check(subject) {
      const failure = failureOf(subject.wire);
      const frames = subject.wire.answer(plainReply);
      for (let count = 0; count < frames.length; count++) {
        const answer = subject.pieces([...frames.slice(0, count), failure]);
        await assertBroken(subject, answer, `a failure after ${count} of ${frames.length} frames`, {
          retryable: true,
          words: failureWords,
        });
      }
    },
  },
  ...(["end", "destroy"] as const).map(
    (ending): ProviderCase => ({
      name: `an answer that is cut anywhere by ${endings[ending]} is \`cut_stream\` with the partial text`,
      on: "wire",
      async check(subject) {
        const frames = subject.wire.answer(plainReply);
        for (const [index, frame] of frames.entries()) {
          const before = frames.slice(0, index);
          for (const length of new Set([0, 1, Math.floor(frame.length / 2), frame.length - 3])) {
            // Before the first frame is complete the provider cannot know whether this is an answer of its wire.
            const codes: ProviderErrorCode[] =
              index === 0 ? ["cut_stream", "connection", "bad_response"] : ["cut_stream"];
            const answer = subject.pieces([...before, frame.slice(0, length)].filter(Boolean), ending);
            const what = `a cut after ${length} characters of frame ${index + 1} of ${frames.length}`;
            await assertBroken(subject, answer, what, index === 0 ? { codes } : { codes, retryable: true });
          }
        }
      },
    }),
  ),
];

async function refusalOf(subject: WireSubject, status: number, extra: Record<string, string>): Promise<unknown> {
  const body = refusal(subject.wire, status, "Because.");
  const answer = inPieces([body], { status, headers: { "content-type": "application/json", ...extra } });
  const before = subject.requests();
  const { events, error } = await readStream(subject.answeredBy(answer).stream(subject.request), subject.patience);
  assertEqual(events, [], `the events of HTTP ${status}`);
  // A provider must not retry by itself: `withRetry` does, and yields an event for each retry.
  assertEqual(subject.requests() - before, 1, `the number of requests if each is refused with HTTP ${status}`);
  return error;
}

/** The body of a refusal; defaults to the body that most servers send. */
export function refusal(wire: Wire, status: number, message: string): string {
  return wire.refusal?.(status, message) ?? JSON.stringify({ error: { message } });
}

export function failureOf(wire: Wire, message = failureWords): string {
  return wire.failure?.(message) ?? "";
}

/** A failure after the server's finish reason need not be an error, because the answer is complete. */
async function assertBroken(
  subject: WireSubject,
  answer: WireAnswer,
  what: string,
  expected: ExpectedError,
): Promise<void> {
  const { events, error } = await readStream(subject.answeredBy(answer).stream(subject.request), subject.patience);
  const text = textOf(events);
  const last = events.at(-1);
  if (error === undefined && last?.type === "finish") {
    const isComplete = text === textIn(plainReply) && last.reason === plainReply.finish && !!last.raw;
    assert(isComplete, `${what}: the provider yielded it as a complete answer with the text ${JSON.stringify(text)}.`);
    return;
  }
  assertProviderError(error, what, expected);
  assertEqual(error.partial ?? "", text, `${what}: \`partial\``);
  assert(textIn(plainReply).startsWith(text), `${what}: the text before the failure is ${JSON.stringify(text)}.`);
}

/** An address on which nothing listens. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}
