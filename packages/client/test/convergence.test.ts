import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConversationSnapshot } from "../src/index.ts";
import { clientOf, type Fate, site, well } from "./support/site.ts";

const fate: fc.Arbitrary<Fate> = fc.record({
  request: fc.constantFrom("ok", "ok", "ok", "lost", "unanswered"),
  delay: fc.constantFrom(0, 0, 5, 30),
  isDoubled: fc.boolean(),
  end: fc.option(fc.record({ after: fc.nat(2000), how: fc.constantFrom("break", "end") }), { nil: undefined }),
  size: fc.constantFrom(1, 3, 50, 1 << 20),
});

const slowly = (text: string) => ({ chunks: [...text], delay: 4 });
const answers = ["The first answer.", "And a second one, with é and 🚀.", "The third."];
const write = '<execute>[{"name":"write","args":{"line":"é 🚀 and more"}}]</execute>';

/** The text of the whole conversation, in order: what a screen may show of it is a beginning of that, with calls between. */
const words = ({ parts }: ConversationSnapshot) => parts.flatMap((part) => (part.type === "text" ? part.content : []));

it("shows at every moment a beginning of the conversation, and at last the log, whatever the network does; each message is read once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 25 }), async (fates) => {
      const made = site([
        slowly(`${answers[0]}<end>`),
        slowly(`On it.${write}`),
        slowly(`${answers[1]}<end>`),
        slowly(`${answers[2]}<end>`),
      ]);
      let next = 0;
      const talk = clientOf(made, () => fates[next++] ?? well).conversation("c");
      const whole = [answers[0], "On it.", answers[1], answers[2]] as string[];
      const problems: string[] = [];
      const stop = talk.subscribe(() => {
        const { parts, waiting } = talk.snapshot;
        const shown = words(talk.snapshot);
        if (shown.some((text, i) => !whole[i]?.startsWith(text))) problems.push(`text: ${JSON.stringify(shown)}`);
        if (shown.slice(0, -1).some((text, i) => text !== whole[i])) problems.push(`order: ${JSON.stringify(shown)}`);
        const people = [
          ...parts.flatMap((part) => (part.type === "user" ? part.content : [])),
          ...waiting.flatMap((one) => ("content" in one ? [one.content] : [])),
        ];
        if (new Set(people).size !== people.length) problems.push(`doubled: ${JSON.stringify(people)}`);
        const question = parts.find((part) => part.type === "question" && part.open);
        const isAnswered = waiting.some((one) => "question" in one);
        if (question?.type === "question" && !isAnswered) void talk.approve(question.id);
      });
      try {
        const prompts = ["One", "Two", "Three"];
        for (const prompt of prompts) void talk.send(prompt);
        await expect
          .poll(() => [words(talk.snapshot), talk.snapshot.status, talk.snapshot.waiting])
          .toEqual([whole, "idle", []]);
        expect(problems).toEqual([]);
        const log = await made.store.load({ conversation: "c", user: "ada" });
        expect(log.flatMap((event) => (event.type === "user" && !event.origin ? event.content : []))).toEqual(prompts);
        expect(made.written).toEqual(["é 🚀 and more"]);
        // A page that is opened now, over a good network, shows the same.
        const again = clientOf(made).conversation("c");
        const leave = again.subscribe(() => {});
        await expect.poll(() => again.snapshot.status).toBe("idle");
        expect(again.snapshot).toEqual({ ...talk.snapshot, connection: "open" });
        leave();
      } finally {
        stop();
        await made.end();
      }
    }),
    { ...randomRuns(40), endOnFailure: true },
  );
});
