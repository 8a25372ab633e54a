import type { InboxMessage } from "../../inbox.ts";
import { oddData, oddTexts } from "./events.ts";

/** A turn of the person. */
export function prompt(content: string): InboxMessage {
  return { kind: "prompt", content };
}

const proof = { key: "k1", mac: "0123456789abcdef".repeat(4) };

/** One message of every kind. Every optional field occurs in at least one. */
export const everyMessage: Readonly<Record<string, InboxMessage>> = {
  prompt: { kind: "prompt", content: "Read main.py." },
  "prompt with a sender and a proof": { kind: "prompt", content: "", from: "ada", proof },
  steer: { kind: "steer", content: "Rather the tests.\n", from: "" },
  notice: { kind: "notice", content: "An agent has ended." },
  "notice from outside": {
    kind: "notice",
    content: "a.ts has changed.",
    source: "src/a.ts",
    holds: "private",
    topic: "a.ts",
    wakes: false,
    proof,
  },
  approve: { kind: "approve", question: "q1", proof },
  deny: { kind: "deny", question: "q1", reason: "It deletes too much." },
  answer: { kind: "answer", question: "q2", content: { name: "Ada", list: [1, null, { deep: [[[]], {}] }] } },
  cancel: { kind: "cancel" },
  "cancel with a reason": { kind: "cancel", reason: "Enough." },
  ...Object.fromEntries(
    Object.entries(oddTexts).map(([what, text]): [string, InboxMessage] => [`text with ${what}`, prompt(text)]),
  ),
  ...Object.fromEntries(
    Object.entries(oddData).map(([what, content]): [string, InboxMessage] => [
      `answer of ${what}`,
      { kind: "answer", question: "q", content },
    ]),
  ),
};
