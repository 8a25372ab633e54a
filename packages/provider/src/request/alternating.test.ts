import type { ModelMessage } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { orders } from "../testkit/hostile-requests.ts";
import { alternating } from "./alternating.ts";

const user = (content: string): ModelMessage => ({ role: "user", content });
const assistant = (content: string): ModelMessage => ({ role: "assistant", content });
const call = { id: "call_1", name: "look", args: {} };
const asked: ModelMessage = { role: "assistant", content: "", calls: [call] };
const found: ModelMessage = { role: "tool", results: [{ id: "call_1", name: "look", content: "x", failed: false }] };
const picture = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;

describe("alternating", () => {
  it.each<[string, ModelMessage[], ModelMessage[]]>([
    ["joins messages of the user", [user("a"), user("b")], [user("a\n\nb")]],
    [
      "joins parts",
      [user("a"), { role: "user", content: [picture] }],
      [{ role: "user", content: [{ kind: "text", text: "a" }, picture] }],
    ],
    [
      "joins answers",
      [user("a"), assistant("b"), assistant("c"), user("d")],
      [user("a"), assistant("b\n\nc"), user("d")],
    ],
    [
      "joins an answer with the calls after it",
      [user("a"), assistant("b"), asked, found],
      [user("a"), { ...asked, content: "b" }, found],
    ],
    ["leaves out empty answers", [user("a"), assistant(" "), user("b")], [user("a\n\nb")]],
    [
      "lets the user begin",
      [assistant("a"), user("b")],
      [user("(What was said before is not shown.)"), assistant("a"), user("b")],
    ],
    ["lets the user end", [user("a"), assistant("b")], [user("a"), assistant("b"), user("(Go on.)")]],
    ["lets results end", [user("a"), asked, found], [user("a"), asked, found]],
    [
      "lets the assistant speak between results and the user",
      [user("a"), asked, found, user("b")],
      [user("a"), asked, found, assistant("(no answer)"), user("b")],
    ],
    [
      "keeps two messages with calls apart",
      [user("a"), asked, found, asked, found],
      [user("a"), asked, found, asked, found],
    ],
    ["gives nothing for nothing", [], []],
  ])("%s", (_, messages, expected) => {
    expect(alternating(messages)).toEqual(expected);
  });

  it("changes nothing of a conversation in turns, which keeps its native blocks", () => {
    const native = { provider: "p", model: "m", data: [1] };
    const messages = [user("a"), { ...asked, native }, found, { ...assistant("b"), native } as ModelMessage, user("c")];
    expect(alternating(messages)).toEqual(messages);
  });

  it("extends what it made of a shorter conversation, but for its end", () => {
    for (const messages of orders(true)) {
      const whole = JSON.stringify(alternating(messages)).slice(0, -1);
      for (let length = 1; length < messages.length; length++) {
        const shorter = alternating(messages.slice(0, length)).filter(
          (message) => message.role !== "user" || message.content !== "(Go on.)",
        );
        // Another message may be joined to the last text.
        const begin = JSON.stringify(shorter).replace(/("\}|[\]}]*)\]$/, "");
        expect(whole.startsWith(begin), `${begin} of ${whole}`).toBe(true);
      }
    }
  });
});
