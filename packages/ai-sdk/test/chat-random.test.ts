import { defineTool } from "@cogency/agent";
import { randomRuns } from "@tooling/vitest/random-runs";
import { isToolUIPart } from "ai";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ChatMessage } from "../src/chat/index.ts";
import { chatSite, replied, said } from "./support/chat-site.ts";
import { judged } from "./support/judge.ts";

const toolOf = (name: string, more: object, execute: () => string) =>
  defineTool({ name, description: "A tool.", input: { type: "object" }, ...more, execute });
const tools = [
  toolOf("look", { annotations: { readOnlyHint: true } }, () => "seen"),
  toolOf("fail", {}, () => {
    throw new Error("It is broken.");
  }),
  toolOf("refund", { approval: "ask" }, () => "refunded"),
];

const words = fc.array(fc.constantFrom("Hello", " there", " 🚀", "\n", " &", " ü", "1"), {
  minLength: 1,
  maxLength: 5,
});
const step = fc.record({
  thought: fc.option(words, { nil: undefined }),
  text: words,
  calls: fc.array(fc.constantFrom("look", "fail", "refund", "unknown"), { minLength: 1, maxLength: 3 }),
  isBroken: fc.boolean(),
});
// A blank answer is none: the model is asked again.
const end = words.filter((pieces) => pieces.join("").trim() !== "");
const turn = fc.record({ steps: fc.array(step, { maxLength: 2 }), end });
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function written({ thought, text, calls, isBroken }: Step): string {
  const block = JSON.stringify(calls.map((name) => ({ name, args: { n: 1 } })));
  const thinking = thought ? `<think>${thought.join("")}</think>` : "";
  return `${thinking}${text.join("")}<execute>${isBroken ? block.slice(0, -3) : block}</execute>`;
}

it("a page that follows random conversations, and answers at random, has what the log has", {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 1, maxLength: 3 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 1, max: 9 }),
      async (turns, choices, size) => {
        const texts = turns.flatMap(({ steps, end }) => [...steps.map(written), `So:${end.join("")}<end>`]);
        const pieces = texts.map((text) => text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []);
        const site = chatSite({ steps: pieces, tools });
        const page: ChatMessage[] = [];
        let asked = 0;
        for (const [at] of turns.entries()) {
          const post = said("Go on.", { message: `m${at}` });
          page.push(post.messages[0] as ChatMessage);
          let answer = await judged<ChatMessage>(await site.post(post));
          for (; answer && isAsked(answer); asked++) {
            const before = decided(answer, choices[asked % choices.length] ?? true);
            answer = await judged(await site.post(replied(before), before), before);
          }
          if (answer) page.push(answer);
          expect(await site.history("c")).toEqual(page);
        }
      },
    ),
    randomRuns(25),
  );
});

const isAsked = ({ parts }: ChatMessage) =>
  parts.some((part) => isToolUIPart(part) && part.state === "approval-requested");

function decided(message: ChatMessage, approved: boolean): ChatMessage {
  const parts = message.parts.map((part) =>
    isToolUIPart(part) && part.state === "approval-requested"
      ? { ...part, state: "approval-responded" as const, approval: { ...part.approval, approved } }
      : part,
  );
  return { ...message, parts };
}
