import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import { testHome } from "../../../test/support/test-home.ts";
import type { OfferedRule } from "../../person/approval/asker.ts";
import { completions } from "../input/completions.ts";

let rulesFile: string;

beforeEach(() => {
  const { home, put } = testHome();
  rulesFile = join(home, ".config/cogency/rules.json");
  put(".config/cogency/rules.json", JSON.stringify({ deny: ["shell:git push **"], allow: ["shell:make"] }));
});

const write = (file: string) =>
  `<execute>${JSON.stringify([{ name: "write", args: { file, content: "x" } }])}</execute>`;

/** Answers each question with the last rule that is offered, for this session. */
function answering() {
  const asked: (readonly OfferedRule[])[] = [];
  const person = {
    canAnswer: () => true,
    ask: async (_: unknown, offered: readonly OfferedRule[]) => {
      asked.push(offered);
      const rule = offered.at(-1);
      return rule ? { approved: true, rule, term: "session" as const } : { approved: true };
    },
    answer: async () => "yes",
  };
  return { asked, person };
}

describe("rules in a chat", () => {
  it("/rules lists those of files, of the options and of the session, each with its place", async () => {
    const { conversation, shown } = conversationWith([], {}, { allow: ["read"] });
    conversation.session.rules.add(["write:docs/**"]);
    await conversation.command("rules");
    expect(shown).toEqual([
      "deny shell:git push **: ~/.config/cogency/rules.json",
      "allow shell:make: ~/.config/cogency/rules.json",
      "allow read: --allow or the configuration",
      "allow write:docs/**: this session",
    ]);
  });

  it("an answer for this session counts for the calls after it, and is in no file", async () => {
    const { asked, person } = answering();
    const before = readFileSync(rulesFile, "utf8");
    const { conversation, events, idle } = conversationWith(
      [write("docs/a.md"), write("docs/b.md"), "Done.<end>"],
      {},
      {},
      person,
    );
    conversation.submit("write two");
    await idle();
    expect(asked.map((offered) => offered.at(-1)?.rules)).toEqual([
      ["write:docs/**", "edit:docs/**", "replace:docs/**"],
    ]);
    expect(events.filter(({ type }) => type === "tool_ended")).toHaveLength(2);
    expect(conversation.session.rules.now()).toEqual(["write:docs/**", "edit:docs/**", "replace:docs/**"]);
    expect(readFileSync(rulesFile, "utf8")).toBe(before);
  });

  it("a rule of the session can be dropped while a turn runs, and the next call asks again", async () => {
    const { asked, person } = answering();
    const { conversation, shown, idle } = conversationWith(
      [write("docs/a.md"), write("docs/b.md"), "Done.<end>"],
      {},
      {},
      {
        ...person,
        async ask(request: unknown, offered: readonly OfferedRule[]) {
          const answer = await person.ask(request, offered);
          // The rule counts from then on; the person drops it before the next call.
          setImmediate(() => void conversation.command("rules", "drop all"));
          return answer;
        },
      },
    );
    conversation.submit("write two");
    await idle();
    expect(asked).toHaveLength(2);
    expect(shown).toContain("3 rules of this session dropped.");
  });

  it("they end with the conversation, and stay through a change of the model", async () => {
    const { conversation, shown } = conversationWith([]);
    conversation.session.rules.add(["write:docs/**"]);
    await conversation.session.change({ model: "other" });
    expect(conversation.session.rules.now()).toHaveLength(1);
    await conversation.command("new");
    expect(conversation.session.rules.now()).toEqual([]);
    expect(shown).toContain("1 rule of this session ended with the conversation that you leave.");
  });

  it.each([
    ["drop write:docs/**", "Dropped: write:docs/**. Calls that it names are asked about again."],
    ["drop write:docs", expect.stringMatching(/^No rule of this session is "write:docs"\. \/rules lists them/)],
    ["drop shell:make", expect.stringMatching(/those of a file end when you take them out of it\.$/)],
    ["drop", "Write /rules, /rules drop <rule> or /rules drop all."],
    ["write:docs/**", "Write /rules, /rules drop <rule> or /rules drop all."],
  ])("/rules %s says what came of it", async (argument, answer) => {
    const { conversation, shown } = conversationWith([]);
    conversation.session.rules.add(["write:docs/**"]);
    await conversation.command("rules", argument);
    expect(shown).toEqual([answer]);
  });

  it("completes those that can be dropped", async () => {
    const { conversation } = conversationWith([]);
    conversation.session.rules.add(["write:docs/**"]);
    const line = "/rules dr";
    const { signal } = new AbortController();
    const found = await completions(conversation).getSuggestions([line], 0, line.length, { signal });
    expect(found?.items.map(({ value }) => value)).toEqual(["drop all", "drop write:docs/**"]);
  });
});
