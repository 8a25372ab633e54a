import { gzipSync } from "node:zlib";
import { assert, assertEqual } from "@cogency/protocol/testkit";
import type { LimitName, Limits } from "../../http/limits.ts";
import { assertProviderError } from "../assert-provider-error.ts";
import type { ReplyPart } from "../harness.ts";
import type { Need, ProviderCase } from "../provider-case.ts";
import { call, plainReply, reasoning, replyOf, text, toolRequest } from "../samples.ts";
import { readStream, textOf } from "../stream-content.ts";
import type { WireSubject } from "../subject.ts";
import { inPieces, type WireAnswer } from "../wire-server.ts";

const word = "word ".repeat(20);
const endless = 64 * 2 ** 20;

/** The largest sizes of an answer that a provider accepts: with given limits, and by default. */
export const limitCases: ProviderCase[] = [
  ...(
    [
      ["text", [], Array.from({ length: 50 }, () => text(word))],
      ["reasoning", ["reasoning"], Array.from({ length: 50 }, () => reasoning(word))],
      ["arguments", ["tools"], [call("call_a", ['{"topic":"', ...Array.from({ length: 50 }, () => word), '"}'])]],
    ] satisfies [string, Need[], ReplyPart[]][]
  ).map(([what, needs, parts]) =>
    limitCase(`\`answerCharacters\` ends an answer of too much ${what}`, "answerCharacters", {
      needs,
      limits: { answerCharacters: 1_000 },
      answer: ({ wire, pieces }) => pieces(wire.answer(replyOf(parts)), "hold"),
    }),
  ),
  limitCase("`calls` ends an answer of too many tool calls", "calls", {
    needs: ["tools"],
    limits: { calls: 3 },
    answer: ({ wire, pieces }) =>
      pieces(wire.answer(replyOf(Array.from({ length: 8 }, (_, index) => call(`call_${index}`, ["{}"])))), "hold"),
  }),
  limitCase("`eventBytes` ends a line that does not end", "eventBytes", {
    limits: { eventBytes: 100_000 },
    answer: (subject) => {
      const isEventStream = subject.wire.contentType?.startsWith("text/event-stream") ?? true;
      return withoutEnd(subject, isEventStream ? 'data: {"' : '{"', "x".repeat(65_536));
    },
  }),
  limitCase("`answerBytes` ends an answer of too many bytes", "answerBytes", {
    limits: { answerBytes: 100_000, answerCharacters: Number.POSITIVE_INFINITY },
    answer: ({ wire, pieces }) =>
      pieces(wire.answer(replyOf(Array.from({ length: 200 }, () => text(word.repeat(10))))), "hold"),
  }),
  limitCase("`answerBytes` ends comments without end", "answerBytes", {
    needs: ["event_stream"],
    limits: { answerBytes: 1_000_000 },
    answer: (subject) => withoutEnd(subject, "", ": still here\n\n".repeat(4_096)),
  }),
  limitCase("`errorBytes` ends the body of a refusal", "errorBytes", {
    limits: { errorBytes: 100_000 },
    answer: () => async (exchange) => {
      exchange.begin(503, { "content-type": "application/json" });
      for (let sent = 0; sent < endless && (await exchange.write("x".repeat(65_536))); sent += 65_536);
      exchange.end();
    },
  }),
  {
    name: "an answer is measured as it is unpacked, and has limits by default",
    on: "wire",
    async check(subject) {
      const bomb = gzipSync(new Uint8Array(endless).fill(0x78), { level: 1 });
      const { contentType = "text/event-stream" } = subject.wire;
      for (const [status, type, name] of [
        [500, "application/json", "errorBytes"],
        [200, contentType, "eventBytes"],
      ] as const) {
        const headers = { "content-type": type, "content-encoding": "gzip" };
        const answer = inPieces([bomb], { status, headers });
        const { error } = await readStream(subject.answeredBy(answer).stream(subject.request), subject.patience);
        assertTooLarge(error, `64 MiB in a body of ${bomb.length} bytes with HTTP ${status}`, name);
      }
    },
  },
];

interface LimitCase {
  needs?: readonly Need[];
  limits: Limits;
  answer(subject: WireSubject): WireAnswer;
}

function limitCase(caseName: string, name: LimitName, { needs = [], limits, answer }: LimitCase): ProviderCase {
  return {
    name: caseName,
    on: "wire",
    needs,
    async check(subject) {
      const request = needs.includes("tools") ? toolRequest : subject.request;
      const provider = subject.answeredBy(answer(subject), { limits });
      const { events, error } = await readStream(provider.stream(request), subject.patience);
      assertTooLarge(error, "an answer that is too large", name);
      assertEqual(error.partial ?? "", textOf(events), "`partial`");
      const limit = limits[name] ?? 0;
      const length = textOf(events).length;
      if (name === "answerCharacters")
        assert(length <= limit, `The events held ${length} characters of text; the limit is ${limit}.`);
      await subject.released("an answer that is too large");
    },
  };
}

function assertTooLarge(error: unknown, what: string, name: LimitName): asserts error is Error & { partial?: string } {
  assertProviderError(error, what, { codes: ["answer_too_large"], retryable: false, words: `limits.${name}` });
}

/** Sends the first frame, then `beginning`, then `piece` again and again for as long as the client reads. */
function withoutEnd({ wire, head }: WireSubject, beginning: string, piece: string): WireAnswer {
  return async (exchange) => {
    await head(exchange);
    const [first = ""] = wire.answer(plainReply);
    await exchange.write(`${first}${beginning}`);
    for (let sent = 0; sent < endless && (await exchange.write(piece)); sent += piece.length);
    exchange.end();
  };
}
