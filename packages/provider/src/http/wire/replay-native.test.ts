import type { AssistantMessage, JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { type NativeRules, replayNative } from "./replay-native.ts";

const owner = { name: "parrot", model: "parrot-1" };
const rules: NativeRules = {
  textOf: ({ say = "" }) => String(say),
  callOf: ({ use, with: args }) => (use ? { name: use, args } : undefined),
  withId: (item, id) => ({ ...item, id }),
};
const items: JsonObject[] = [
  { seal: "x" },
  { say: "I look." },
  { use: "find", with: { q: 1, all: true }, id: "its-own" },
];
const calls = [{ id: "call_9", name: "find", args: { all: true, q: 1 } }];
const made = { provider: "parrot", model: "parrot-1", data: items };
const message: AssistantMessage = { role: "assistant", content: "I look.", calls, native: made };
const native = (data: JsonObject[] | string) => ({ native: { ...made, data } });

describe("replayNative", () => {
  it("returns the items as they came, with the ids of the message", () => {
    expect(replayNative(message, owner, rules)).toEqual([items[0], items[1], { ...items[2], id: "call_9" }]);
  });

  it("ignores the layout of the text, which the log does not keep", () => {
    expect(replayNative({ ...message, content: "I\n\n look. " }, owner, rules)).toHaveLength(3);
  });

  it.each<[string, object]>([
    ["another provider", { native: { ...made, provider: "other" } }],
    ["another model", { native: { ...made, model: "parrot-2" } }],
    ["no native items", { native: undefined }],
    ["an empty list", native([])],
    ["something else than a list of objects", native("text")],
    ["another text", { content: "I saw." }],
    ["no call", { calls: [] }],
    ["one call more", { calls: [...calls, ...calls] }],
    ["a call of another tool", { calls: [{ id: "call_9", name: "read", args: { q: 1, all: true } }] }],
    ["a call with other arguments", { calls: [{ id: "call_9", name: "find", args: { q: 2, all: true } }] }],
  ])("returns undefined for a message with %s", (_, other) => {
    expect(replayNative({ ...message, ...other }, owner, rules)).toBeUndefined();
  });
});
