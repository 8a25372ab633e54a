import { redactSecrets } from "@cogency/storage";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyProfile, type Memory, memoryTopics, type Profile, profileBounds } from "../profile/profile.ts";
import { choiceOf, profileAfter } from "./chosen.ts";
import type { OwnMessage } from "./own-messages.ts";

const message = (words: string, at: number, scope?: string): OwnMessage => ({
  conversation: "c",
  seq: at,
  said: at,
  words,
  scope,
});

const messages = [
  message("I live in Graz. Use tabs, please.", 1, "/a"),
  message("My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789", 2),
];

const after = (keep: readonly unknown[], drop: readonly unknown[] = [], profile: Profile = emptyProfile) =>
  profileAfter(profile, messages, { keep, drop }, redactSecrets);

const learned: Memory = {
  id: "aaaaaa",
  about: "rule",
  words: "Never push.",
  said: 0,
  from: { conversation: "c", seq: 1 },
};
const typed: Memory = { id: "bbbbbb", about: "rule", words: "Be kind.", said: 0 };

describe("a choice", () => {
  it("becomes memories with their place, also over line breaks that the model made", () => {
    const { memories, learnedUntil } = after([
      { message: 1, words: "I live\n in  Graz.", about: "person" },
      { message: 1, words: "Use tabs", about: "project" },
    ]);
    expect(memories).toMatchObject([
      { about: "person", words: "I live in Graz.", said: 1, from: { conversation: "c", seq: 1 } },
      { about: "project", words: "Use tabs", scope: "/a" },
    ]);
    expect(memories[0]).not.toHaveProperty("scope");
    expect(learnedUntil).toBe(2);
  });

  it.each<[string, unknown]>([
    ["words that stand in no message", { message: 1, words: "I live in Wien.", about: "person" }],
    ["words of another message", { message: 2, words: "Use tabs", about: "person" }],
    ["an unknown topic", { message: 1, words: "Use tabs", about: "permission" }],
    ["no topic", { message: 1, words: "Use tabs" }],
    ["a message that there is not", { message: 0, words: "Use tabs", about: "person" }],
    ["a message that is no number", { message: "1", words: "Use tabs", about: "person" }],
    ["no words", { message: 1, words: " \n", about: "person" }],
    ["a secret", { message: 2, words: "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789", about: "person" }],
    ["what is no object", "Use tabs"],
    ["null", null],
  ])("with %s keeps nothing", (_, one) => {
    expect(after([one]).memories).toEqual([]);
  });

  it("does not double what is remembered", () => {
    const one = { message: 1, words: "Use tabs", about: "preference" };
    expect(after([one, { ...one, words: "use tabs" }, one]).memories).toHaveLength(1);
    expect(after([one], [], after([one])).memories).toHaveLength(1);
  });

  it("drops what was learned, and never what the person typed", () => {
    const before = { ...emptyProfile, memories: [learned, typed] };
    expect(after([], ["aaaaaa", "bbbbbb", 5], before).memories).toEqual([typed]);
  });

  it("does not reach over a quote that was left out", () => {
    const quoting = [message("I said: […] I like tea.", 1)];
    const keep = [
      { message: 1, words: "I said: […] I like tea.", about: "person" },
      { message: 1, words: "I like tea.", about: "person" },
    ];
    const { memories } = profileAfter(emptyProfile, quoting, { keep, drop: [] }, redactSecrets);
    expect(memories.map(({ words }) => words)).toEqual(["I like tea."]);
  });

  it("in a place with a very long name keeps nothing about it, so that it takes no room of others", () => {
    const far = [message("I like tea. It is in Rust.", 1, "/".repeat(5000))];
    const keep = [
      { message: 1, words: "It is in Rust.", about: "project" },
      { message: 1, words: "I like tea.", about: "person" },
    ];
    const { memories } = profileAfter({ ...emptyProfile, memories: [typed] }, far, { keep, drop: [] }, redactSecrets);
    expect(memories.map(({ words }) => words)).toEqual(["Be kind.", "I like tea."]);
  });

  it("of messages that were learned from already keeps nothing", () => {
    const keep = [{ message: 1, words: "Use tabs", about: "preference" }];
    expect(after(keep, [], { ...emptyProfile, learnedUntil: 1 }).memories).toEqual([]);
  });

  it("is read from a fence or after thinking, and from no other text", () => {
    const choice = { keep: [], drop: ["a"] };
    for (const text of ['{"drop":["a"]}', '```json\n{"drop":["a"]}\n```', '<think>Well.</think>\n{"drop":["a"]}'])
      expect(choiceOf(text)).toEqual(choice);
    for (const text of ["", "none", "[]", '{"keep":{}}', '{"keep":[],"keep":[]}', `{"keep":["${"x".repeat(60_000)}"]}`])
      expect(choiceOf(text)).toHaveProperty("problem");
  });
});

describe("whatever a model answers", () => {
  const words = fc.string({ maxLength: 400, unit: "grapheme" });
  const own = fc
    .array(fc.tuple(fc.lorem({ maxCount: 30 }), fc.option(fc.constant("/a"), { nil: undefined })), {
      minLength: 1,
      maxLength: 12,
    })
    .map((texts) => texts.map(([text, scope], at) => message(text, at + 1, scope)));
  const hostile = (texts: readonly OwnMessage[]) =>
    fc.record(
      {
        message: fc.oneof(fc.integer({ min: -1, max: texts.length + 1 }), fc.anything()),
        words: fc.oneof(
          words,
          fc.anything(),
          fc
            .tuple(fc.nat({ max: texts.length - 1 }), fc.nat({ max: 80 }), fc.nat({ max: 300 }))
            .map(([at, from, length]) => texts[at]?.words.slice(from, from + length) ?? ""),
        ),
        about: fc.oneof(fc.constantFrom(...memoryTopics), fc.anything()),
      },
      { requiredKeys: [] },
    );

  it("a profile stays within its bounds, and each memory stands in a message of the person", () => {
    const rounds = own.chain((texts) => fc.tuple(fc.constant(texts), fc.array(hostile(texts), { maxLength: 60 })));
    fc.assert(
      fc.property(fc.array(rounds, { maxLength: 8 }), fc.array(fc.anything()), (all, drop) => {
        let profile = emptyProfile;
        const said: string[] = [];
        for (const [texts, keep] of all) {
          const later = texts.map((one) => ({ ...one, said: profile.learnedUntil + one.said }));
          said.push(...later.map((one) => one.words));
          profile = profileAfter(profile, later, { keep, drop }, redactSecrets);
        }
        expect(profile.memories.length).toBeLessThanOrEqual(profileBounds.memories);
        expect(new TextEncoder().encode(JSON.stringify(profile)).length).toBeLessThanOrEqual(profileBounds.bytes);
        for (const memory of profile.memories) {
          expect(memory.words.length).toBeLessThanOrEqual(profileBounds.words);
          expect(said.some((text) => text.includes(memory.words))).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
