import { ProviderError } from "@cogency/provider";
import { expect, it } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";

const refused = {
  chunks: "",
  error: new ProviderError("bad_request", "This model's maximum context length is 9000 tokens."),
};

it("a chat is told in one line that it was summed up, and what became of a message that is too large", async () => {
  const talk = conversationWith([
    "One.<end>",
    "Two.<end>",
    refused,
    "They talked.",
    "Three.<end>",
    // What was said before, and then the message that was too large.
    "They talked.",
    "They talked.",
    "Four.<end>",
  ]);
  const { conversation, shown, events, idle } = talk;
  const say = async (text: string) => {
    conversation.submit(text);
    await expect.poll(() => shown.includes(`> ${text}`), { timeout: 60_000 }).toBe(true);
    await idle();
  };
  for (const text of ["first ", "second ", "third "]) await say(text + "word".repeat(1500));
  expect(events.filter(({ type }) => type === "compacted")).toHaveLength(1);
  await conversation.command("compact", "show");
  expect(shown.at(-1)).toContain("> They talked.");

  await say(`too large ${"word".repeat(12_000)}`);
  const told = shown.at(-1) ?? "";
  expect(told).toMatch(/The last message is too large\. Say it in parts/);
  expect(told).not.toMatch(/continue tries again|recover|run\(\)|budget\./);
  await say("a shorter one");
  expect(events.at(-1)?.type).toBe("run_ended");
  expect(JSON.stringify(events.filter(({ type }) => type === "respond"))).toContain("Four.");
});
