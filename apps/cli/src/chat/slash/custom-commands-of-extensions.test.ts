import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import { testHome } from "../../../test/support/test-home.ts";
import { completions } from "../input/completions.ts";

/** A conversation with an extension of this text. */
async function chatWith(text: string, answers: string[] = []) {
  const { home, put } = testHome();
  put("extension.mjs", text);
  return conversationWith(answers, {}, { tool: [join(home, "extension.mjs")] });
}

const deploy = `{ name: "deploy-it", description: "Deploys.", argumentHint: "<stage>", text: "Deploy to $ARGUMENTS." }`;

describe("commands of an extension in a chat", () => {
  it("make a prompt of what was typed behind them", async () => {
    const { conversation, provider, idle } = await chatWith(`export default { commands: [${deploy}] };`, [
      "Done.<end>",
    ]);
    conversation.submit("/deploy-it staging now");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(1), { timeout: 60_000 });
    await idle();
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain("Deploy to staging now.");
  });

  it("are listed with their place, and completed", async () => {
    const { conversation, shown } = await chatWith(`export default { commands: [${deploy}] };`);
    await conversation.command("help", "all");
    expect(shown).toContainEqual(expect.stringMatching(/^\/deploy-it <stage>: .*extension\.mjs · Deploys\.$/));
    const found = await completions(conversation).getSuggestions(["/deploy-"], 0, 8, {
      signal: new AbortController().signal,
    });
    expect(found?.items.map(({ value }) => value)).toEqual(["/deploy-it "]);
  });

  it("take the place of none that is built in, which is told", async () => {
    const { conversation, shown, provider } = await chatWith(
      `export default { commands: [{ name: "quit", description: "Quits.", text: "Never quit." }] };`,
    );
    await conversation.command("help", "all");
    expect(shown.at(-1)).toMatch(/The command \/quit is left out: another one has this name\.$/);
    expect(provider.requests).toEqual([]);
  });

  it("are not made up: a name that there is not is told", async () => {
    const { conversation, shown } = await chatWith(`export default { commands: [${deploy}] };`);
    await conversation.command("hepl");
    expect(shown.at(-1)).toBe("There is no /hepl. Did you mean /help?");
  });
});
