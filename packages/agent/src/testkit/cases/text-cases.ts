import type { AgentEvent } from "@cogency/protocol";
import { assert, assertEqual, show } from "@cogency/protocol/testkit";
import type { DriverCase } from "../driver-case.ts";
import { answer, awkwardCall, fourCalls, oneCall, plainAnswer, thoughtful } from "../replies.ts";
import { recut } from "../reply-events.ts";
import { sameLog } from "../same-log.ts";
import { expectStatus, type Subject, unitsOf } from "../subject.ts";

/** Text and thinking, and how they are cut. */
export const textCases: DriverCase[] = [
  {
    name: "text is given as it was written",
    async check(subject) {
      for (const reply of [plainAnswer, answer]) {
        const played = await subject.play([{ events: subject.write(reply) }]);
        expectStatus(played, "completed", "an answer in text");
        assertEqual(unitsOf(played.log), [{ type: "respond", content: reply.text }], "the units of the log");
        assertEqual(joinedPieces(played.events, "respond"), reply.text, "the pieces of text in the token view, joined");
      }
    },
  },
  {
    name: "thinking is kept apart from text",
    needs: ["thinking"],
    proves: "thinking",
    async check(subject) {
      const { thinking, text } = thoughtful;
      const played = await subject.play([{ events: subject.write(thoughtful) }]);
      expectStatus(played, "completed", "an answer with thinking");
      const units = [
        { type: "think", content: thinking },
        { type: "respond", content: text },
      ];
      assertEqual(unitsOf(played.log), units, "the units of the log");
      assertEqual(played.result.text, text, "the text for the user");
    },
  },
  {
    name: "adjacent units have different numbers, the pieces of one unit the same",
    needs: ["thinking"],
    async check(subject) {
      const { readings } = await subject.play([{ events: recut(subject.write(thoughtful), 4) }]);
      const pieces = readings.flatMap(({ given }) => given.flatMap(({ events }) => events)).filter(isPiece);
      for (const { type, unit } of pieces) {
        assert(Number.isInteger(unit), `A piece of ${type} has the unit ${show(unit)}; it must be a whole number.`);
      }
      const units = pieces.map(({ type, unit }) => `${type} ${unit}`).filter((one, at, all) => one !== all[at - 1]);
      assertEqual(
        units.map((one) => one.split(" ")[0]),
        ["think", "respond"],
        `the units that the numbers tell apart (${units.join(", ")})`,
      );
      const numbers = units.map((one) => one.split(" ")[1]);
      assert(numbers[0] !== numbers[1], `Thinking and the text after it have the same number, ${numbers[0]}.`);
    },
  },
  {
    name: "how an answer is cut into pieces changes nothing",
    check: (subject) => assertCutsAlike(subject, [subject.write(plainAnswer), subject.write(answer)]),
  },
  {
    name: "how an answer with calls is cut into pieces changes nothing",
    needs: ["calls"],
    check: (subject) =>
      assertCutsAlike(
        subject,
        [oneCall, awkwardCall].map((reply) => subject.write(reply)),
      ),
  },
  {
    name: "how an answer with several calls is cut into pieces changes nothing",
    needs: ["calls", "batches"],
    check: (subject) => assertCutsAlike(subject, [subject.write(fourCalls)]),
  },
  {
    name: "every view of a run stores the same log",
    async check(subject) {
      const replies = [{ events: recut(subject.write(answer), 3) }];
      const logs = [];
      for (const stream of ["token", "event", null] as const) {
        const played = await subject.play(replies, { stream });
        expectStatus(played, "completed", `an answer with stream ${show(stream)}`);
        logs.push(sameLog(played.log));
      }
      for (const log of logs) assertEqual(log, logs[0], "the log");
    },
  },
];

async function assertCutsAlike(subject: Subject, answers: ReturnType<Subject["write"]>[]): Promise<void> {
  for (const whole of answers) {
    const last = { events: subject.write(answer) };
    const logs: unknown[] = [];
    for (const size of [1, 2, 7, Number.POSITIVE_INFINITY]) {
      const played = await subject.play([{ events: recut(whole, size) }, last]);
      const what = `an answer in pieces of ${size} characters`;
      expectStatus(played, "completed", what);
      logs.push(sameLog(played.log));
      assertEqual(logs.at(-1), logs[0], `the log of ${what}`);
    }
  }
}

function joinedPieces(events: readonly AgentEvent[], type: "think" | "respond"): string {
  return events.map((event) => (event.type === type ? event.content : "")).join("");
}

function isPiece<E extends { type: string }>(event: E): event is Extract<E, { type: "think" | "respond" }> {
  return event.type === "think" || event.type === "respond";
}
