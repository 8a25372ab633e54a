import { beforeEach, describe, expect, it, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import { testHome } from "../../../test/support/test-home.ts";
import { completions } from "../input/completions.ts";

beforeEach(() => {
  const { put } = testHome();
  put(".config/cogency/agents/reviewer.md", "---\ndescription: Reviews a change.\ntools: Read\n---\nLook with care.");
  put(".config/cogency/agents/broken.md", "no front matter");
});

const call = (name: string, args: object) => `<execute>${JSON.stringify([{ name, args }])}</execute>`;

describe("agents in a chat", () => {
  it("/agent asks the model to give work to one, which has its own instructions and tools", async () => {
    const { conversation, provider, events, idle } = conversationWith([
      call("agent", { agent: "reviewer", prompt: "Look at a.ts." }),
      call("write", { file: "a.ts", content: "" }),
      "It is good.<end>",
      "The reviewer says that it is good.<end>",
    ]);
    await conversation.command("agent", "reviewer a.ts, please");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(4), { timeout: 60_000 });
    await idle();
    const [first, second, third] = provider.requests;
    expect(JSON.stringify(first?.messages)).toContain('Give this to the agent \\"reviewer\\"');
    expect(JSON.stringify(first)).toContain("- reviewer: Reviews a change.");
    expect(second?.system).toContain("Look with care.");
    expect(second?.system).toContain("You do one task for another agent");
    expect(JSON.stringify(second?.messages)).not.toContain("please");
    expect(JSON.stringify(third?.messages)).toMatch(/write.*failure/);
    const results = events.flatMap((event) => (event.type === "result" ? [event.content] : []));
    expect(results).toEqual([expect.stringContaining("It is good.")]);
  });

  it.each([
    ["", /Which agent\?/],
    ["revewer now", /There is no agent revewer\. Did you mean reviewer\?/],
    ["reviewer", /What is reviewer to do\?/],
    ["broken now", /There is no agent broken/],
  ])("/agent %s says what to write", async (argument, answer) => {
    const { conversation, shown } = conversationWith([]);
    await conversation.command("agent", argument);
    expect(shown.at(-1)).toMatch(answer);
  });

  it("/agents lists them with their place, and what was left out with its line", async () => {
    const { conversation, shown } = conversationWith([]);
    await conversation.command("agents");
    expect(shown).toEqual([
      expect.stringMatching(/^explore: built in · /),
      expect.stringMatching(/^general: built in · /),
      "reviewer: yours · Reviews a change.",
      expect.stringMatching(/^Left out: .*broken\.md:1: The first line must be/),
    ]);
  });

  it("there are none where --tools leaves their tool out", async () => {
    const { conversation, shown } = conversationWith([]);
    await conversation.session.change({ tools: ["read"] });
    expect((await conversation.session.open()).tools.map(({ name }) => name)).toEqual(["read", "present_plan"]);
    await conversation.command("agents");
    await conversation.command("agent", "reviewer x");
    expect(shown).toEqual([
      expect.stringContaining("There are no agents"),
      expect.stringContaining("There are no agents"),
    ]);
  });

  it("completes their names", async () => {
    const { conversation } = conversationWith([]);
    const line = "/agent re";
    const found = await completions(conversation).getSuggestions([line], 0, line.length, {
      signal: new AbortController().signal,
    });
    expect(found?.items.map(({ value }) => value)).toEqual(["reviewer"]);
  });
});
