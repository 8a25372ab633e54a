import { assertEqual, pause } from "@cogency/protocol/testkit";
import type { Timeouts } from "../../http/timeouts.ts";
import { assertProviderError } from "../assert-provider-error.ts";
import type { ProviderCase } from "../provider-case.ts";
import { plainReply } from "../samples.ts";
import { readStream, textOf } from "../stream-content.ts";
import { eventsOf, type WireSubject } from "../subject.ts";
import type { WireAnswer } from "../wire-server.ts";

/** The provider applies the time limits that it is given. */
export const timeoutCases: ProviderCase[] = [
  timeoutCase("`firstByte` ends a wait for the head of an answer", { firstByte: 200 }, () => () => {}),
  timeoutCase("`firstByte` ends a wait for the body of an answer", { firstByte: 200 }, ({ head }) => head),
  timeoutCase("`idle` ends a silence in the middle of an answer", { idle: 200 }, ({ wire, pieces }) => {
    const frames = wire.answer(plainReply);
    return pieces(frames.slice(0, Math.ceil(frames.length / 2)), "hold");
  }),
  {
    name: "any byte, also of a comment, begins `idle` anew",
    on: "wire",
    needs: ["event_stream"],
    async check(subject) {
      const idle = 1_000;
      const frames = subject.wire.answer(plainReply);
      subject.server.respond(async (exchange) => {
        await exchange.write(frames.slice(0, 2).join(""));
        const end = performance.now() + idle * 1.25;
        while (performance.now() < end && (await exchange.write(": still here\n\n"))) await pause(idle / 10);
        await exchange.write(frames.slice(2).join(""));
        exchange.end();
      });
      const patient = { ...subject, patience: subject.patience + 2 * idle };
      await eventsOf(
        patient,
        subject.provider({ timeouts: { idle } }).stream(subject.request),
        "an answer that is kept alive",
      );
    },
  },
];

function timeoutCase(name: string, timeouts: Timeouts, answer: (subject: WireSubject) => WireAnswer): ProviderCase {
  return {
    name,
    on: "wire",
    async check(subject) {
      subject.server.respond(answer(subject));
      const content = await readStream(subject.provider({ timeouts }).stream(subject.request), subject.patience);
      assertProviderError(content.error, "silence", { codes: ["timeout"], retryable: true });
      assertEqual(content.error.partial ?? "", textOf(content.events), "`partial`");
      await subject.released("silence");
    },
  };
}
