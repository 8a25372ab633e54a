import { beforeEach, describe, expect, it, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import { testHome } from "../../../test/support/test-home.ts";

let told: string[] = [];
beforeEach(() => {
  const home = testHome();
  told = home.told;
  const hooks = [
    { name: "no lists", at: "beforeToolUse", tools: ["list"], command: "echo not now >&2; exit 2" },
    { name: "no keys", at: "beforePrompt", command: "grep -q sk- && { echo It holds a key. >&2; exit 2; }; true" },
    { name: "said", at: "afterRun", command: "exit 7" },
  ];
  home.put(".config/cogency/config.json", JSON.stringify({ hooks }));
});

describe("hooks in a chat", () => {
  it("are listed with their place and how their last call ended, and a failure is told in a line", async () => {
    const { conversation, provider, shown, idle } = conversationWith([
      '<execute>[{"name":"list","args":{"path":"."}}]</execute>',
      "Done.<end>",
    ]);
    await conversation.command("hooks");
    expect(shown).toEqual([
      "no lists: yours · beforeToolUse list · not called yet",
      "no keys: yours · beforePrompt · not called yet",
      "said: yours · afterRun · not called yet",
    ]);
    conversation.submit("look");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), { timeout: 60_000 });
    await idle();
    expect(told.join("")).toContain("The hook said failed at the end: it ended with exit code 7");
    shown.length = 0;
    await conversation.command("hooks");
    expect(shown).toEqual([
      expect.stringMatching(/^no lists: yours · beforeToolUse list · denied in \d+ ms: not now$/),
      expect.stringMatching(/^no keys: yours · beforePrompt · passed in \d+ ms$/),
      expect.stringMatching(/^said: yours · afterRun · failed in \d+ ms: it ended with exit code 7$/),
    ]);
  });

  it("give a prompt back that one refuses, and the model does not read it", async () => {
    const { conversation, provider, shown, givenBack, idle } = conversationWith(["Hello.<end>"]);
    conversation.submit("my key is sk-1");
    await vi.waitFor(() => expect(givenBack).toEqual(["my key is sk-1"]), { timeout: 60_000 });
    await idle();
    expect(shown.at(-1)).toContain("A hook refused the prompt: The hook no keys says: It holds a key.");
    expect(shown.join("")).not.toContain("/continue");
    expect(provider.requests).toEqual([]);
  });
});
