import { beforeEach, describe, expect, it, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import { testHome } from "../../../test/support/test-home.ts";
import { completions } from "../input/completions.ts";

const review = "---\nname: review\ndescription: Reviews a change.\nallowed-tools: read\n---\nLook at $1 with care.";

beforeEach(() => {
  const { put } = testHome();
  put(".config/cogency/skills/review/SKILL.md", review);
  put(".config/cogency/skills/broken/SKILL.md", "no front matter");
});

const call = (name: string, args: object) => `<execute>${JSON.stringify([{ name, args }])}</execute>`;

describe("skills in a chat", () => {
  it("/skill asks the model to use one, which it reads, and which narrows what it calls then", async () => {
    const { conversation, provider, events, idle } = conversationWith([
      call("skill", { name: "review", arguments: "a.ts" }),
      call("write", { file: "a.ts", content: "" }),
      "Done.<end>",
    ]);
    await conversation.command("skill", "review a.ts and b.ts");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(3), { timeout: 60_000 });
    await idle();
    const [first, second] = provider.requests;
    expect(JSON.stringify(first?.messages)).toContain('Use the skill \\"review\\" with these arguments: a.ts and b.ts');
    expect(JSON.stringify(first)).toContain("- review: Reviews a change.");
    expect(JSON.stringify(second)).toContain("Look at a.ts with care.");
    const results = events.flatMap((event) => (event.type === "result" ? [event.content] : []));
    expect(results[1]).toContain("allows only: read");
  });

  it.each([
    ["", /Which skill\?/],
    ["revew", /There is no skill revew\. Did you mean review\?/],
    ["broken", /There is no skill broken/],
  ])("/skill %s says what to write", async (argument, answer) => {
    const { conversation, shown } = conversationWith([]);
    await conversation.command("skill", argument);
    expect(shown.at(-1)).toMatch(answer);
  });

  it("/skills lists them with their place, and what was left out with its line", async () => {
    const { conversation, shown } = conversationWith([]);
    await conversation.command("skills");
    expect(shown).toEqual([
      "review: yours · Reviews a change.",
      expect.stringMatching(/^Left out: .*broken\/SKILL\.md:1: The first line must be/),
    ]);
  });

  it("/tools has the tool that reads them, unless the person names other tools", async () => {
    const { conversation } = conversationWith([]);
    const names = async () =>
      (await conversation.session.open()).tools.map(({ name }) => name).filter((name) => !name.includes("plan"));
    expect(await names()).toContain("skill");
    await conversation.session.change({ tools: ["read"] });
    expect(await names()).toEqual(["read"]);
    await conversation.session.change({ tools: ["read", "skill"] });
    expect(await names()).toEqual(["read", "skill"]);
  });

  it("completes their names", async () => {
    const { conversation } = conversationWith([]);
    const line = "/skill re";
    const found = await completions(conversation).getSuggestions([line], 0, line.length, {
      signal: new AbortController().signal,
    });
    expect(found?.items.map(({ value }) => value)).toEqual(["review"]);
  });
});
