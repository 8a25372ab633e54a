import type { Usage } from "@cogency/protocol";
import { assert, assertEqual, show } from "@cogency/protocol/testkit";
import type { DriverCase } from "../driver-case.ts";
import { answer, oneCall, plainAnswer } from "../replies.ts";
import { expectStatus, type Played } from "../subject.ts";

const usage: Usage = { input: 40, output: 7, cacheRead: 30, cacheWrite: 2, reasoning: 1 };

/** What comes beside text and calls: usage, the reason of the end, the provider's own blocks. */
export const recordCases: DriverCase[] = [
  {
    name: "usage and finish are given exactly once",
    async check(subject) {
      for (const reply of [answer, plainAnswer]) {
        assertOnce(await subject.play([{ events: subject.write(reply) }]));
      }
    },
  },
  {
    name: "usage and finish are given exactly once with calls",
    needs: ["calls"],
    async check(subject) {
      assertOnce(await subject.play([{ events: subject.write(oneCall) }, { events: subject.write(answer) }]));
    },
  },
  {
    name: "usage is what the provider counted, and an estimate if it counted nothing",
    async check(subject) {
      const counted = await subject.play([{ events: subject.write(plainAnswer), usage }]);
      expectStatus(counted, "completed", "an answer with usage");
      assertEqual(usageOf(counted), usage, "the usage of the run");
      const estimated = await subject.play([{ events: subject.write(plainAnswer) }]);
      assert(estimated.result.usage.estimated === true, "An estimate must be marked `estimated`.");
    },
  },
  {
    name: "an answer in text that was cut off ends the run, and says why",
    async check(subject) {
      const played = await subject.play([{ events: subject.write(plainAnswer), finish: "length" }]);
      expectStatus(played, "completed", "an answer that was cut off");
      assertEqual(played.result.stop?.reason, "finish_reason", "`stop.reason` of the run");
      assertEqual(played.result.text, plainAnswer.text, "the text for the user");
    },
  },
  {
    name: "native blocks of an answer are stored with it",
    needs: ["native"],
    proves: "native",
    async check(subject) {
      const data = [{ type: "thinking", signature: "c2lnbmVk" }];
      const finish = { type: "finish", reason: "stop", native: data } as const;
      const played = await subject.play([{ events: [...subject.write(plainAnswer), finish] }]);
      expectStatus(played, "completed", "an answer with native blocks");
      assertEqual(
        nativeOf(played),
        [{ provider: "scripted", model: "scripted-1", data }],
        "the native records of the log",
      );
    },
  },
  {
    name: "native blocks are stored before the results of their calls",
    needs: ["calls", "native"],
    async check(subject) {
      const data = { signature: "c2lnbmVk" };
      const finish = { type: "finish", reason: "tool_calls", native: data } as const;
      const replies = [{ events: [...subject.write(oneCall), finish] }, { events: subject.write(answer) }];
      const played = await subject.play(replies);
      expectStatus(played, "completed", "a call with native blocks");
      assertEqual(
        nativeOf(played),
        [{ provider: "scripted", model: "scripted-1", data }],
        "the native records of the log",
      );
      const kinds = played.log.map((event) => (event.type === "record" ? event.kind : event.type));
      const order = kinds.filter((kind) => kind === "native" || kind === "result");
      assertEqual(order, ["native", "result"], "the order of native blocks and results in the log");
    },
  },
];

function assertOnce(played: Played): void {
  expectStatus(played, "completed", "a whole answer");
  for (const [nth, { given, end }] of played.readings.entries()) {
    const events = given.flatMap(({ events }) => events);
    const of = (type: string) => events.filter((event) => event.type === type).length;
    const what = `request ${nth + 1}`;
    assertEqual(of("usage"), 1, `the number of \`usage\` events of ${what}`);
    // The reason of the last answer counts for the step.
    if (!end?.next) assertEqual(of("finish"), 1, `the number of \`finish\` events of ${what}`);
  }
}

function usageOf({ result }: Played): unknown {
  const { input, output, cacheRead, cacheWrite, reasoning, estimated } = result.usage;
  assert(estimated === undefined, `Usage that was counted must not be an estimate. It is ${show(result.usage)}.`);
  return { input, output, cacheRead, cacheWrite, reasoning };
}

function nativeOf({ log }: Played): unknown[] {
  return log.flatMap((event) => (event.type === "record" && event.kind === "native" ? [event.data] : []));
}
