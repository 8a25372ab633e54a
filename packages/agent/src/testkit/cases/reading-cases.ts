import { assert, assertEqual, show } from "@cogency/protocol/testkit";
import type { DriverCase } from "../driver-case.ts";
import { answer, plainAnswer } from "../replies.ts";
import { expectStatus } from "../subject.ts";

/** The contract of `begin`, `write` and `end`. */
export const readingCases: DriverCase[] = [
  {
    name: "a driver says who it is and how its calls run",
    async check(subject) {
      const { name, batch, usesSessions, nativeCalls } = subject.driver();
      assert(typeof name === "string" && name !== "", "`name` must be a string that is not empty.");
      assert(typeof batch === "object" && batch !== null, "`batch` must be an object.");
      const { mode, coerce } = batch;
      assert(
        [undefined, "parallel", "sequential"].includes(mode),
        `\`batch.mode\` is ${show(mode)}; it must be "parallel" or "sequential".`,
      );
      assert(
        [undefined, "json", "lexical"].includes(coerce),
        `\`batch.coerce\` is ${show(coerce)}; it must be "json" or "lexical".`,
      );
      assert(
        [undefined, true, false].includes(usesSessions),
        `\`usesSessions\` is ${show(usesSessions)}; it must be a boolean.`,
      );
      assert(
        [undefined, true, false].includes(nativeCalls),
        `\`nativeCalls\` is ${show(nativeCalls)}; it must be a boolean.`,
      );
    },
  },
  {
    name: "reading is synchronous, and asks no model",
    async check(subject) {
      const played = await subject.play([{ events: subject.write(answer) }]);
      const [offence] = played.offences;
      assert(offence === undefined, offence ?? "");
      expectStatus(played, "completed", "an answer");
      assertEqual(played.requests.length, played.readings.length, "the number of requests");
    },
  },
  {
    name: "a driver changes nothing that it is given",
    async check(subject) {
      const first = await subject.play([{ events: subject.write(plainAnswer) }]);
      for (const log of [[], first.log]) {
        const played = await subject.play([{ events: subject.write(answer) }], {
          log,
          isFrozen: true,
          request: { temperature: 0.5, options: { seed: [7] } },
        });
        expectStatus(played, "completed", "a run whose log, messages, tools, settings and events cannot be changed");
      }
    },
  },
  {
    name: "the stage of an answer never goes back",
    async check(subject) {
      const { readings } = await subject.play([{ events: subject.write(answer) }]);
      for (const { stages, grace } of readings) {
        const order = stages.map((stage) => ["open", "complete", "surplus"].indexOf(stage));
        assert(!order.includes(-1), `A stage must be open, complete or surplus. They were ${show(stages)}.`);
        assertEqual(order, order.toSorted(), "the stages (0: open, 1: complete, 2: surplus)");
        assert(
          Number.isFinite(grace) && grace >= 0,
          `\`grace\` is ${show(grace)}; it must be a number of milliseconds.`,
        );
      }
    },
  },
  {
    name: "after its turn, nothing more that the model writes counts",
    async check(subject) {
      const events = subject.write(answer);
      const played = await subject.play([{ events: [...events, { type: "text", text: " And so on." }] }]);
      expectStatus(played, "completed", "an answer that goes on after its end");
      const [reading] = played.readings;
      const wasOver = reading?.stages[events.length] !== "open";
      if (!wasOver) return;
      assertEqual(played.result.text, answer.text, "the text for the user");
      assertEqual(reading?.stages.at(-1), "surplus", "the stage after more words");
    },
  },
  {
    name: "a driver whose requests hold native tools or calls says so, and uses no sessions",
    async check(subject) {
      const { readings } = await subject.play([{ events: subject.write(answer) }]);
      const hasTools = readings.some(({ request }) => request.tools !== undefined);
      assert(
        !hasTools || subject.driver().usesSessions === false,
        "Its requests have `tools`, which a session does not take: `usesSessions` must be false.",
      );
      assertEqual(subject.driver().nativeCalls ?? false, hasTools, "`nativeCalls`, beside requests with `tools`");
    },
  },
];
