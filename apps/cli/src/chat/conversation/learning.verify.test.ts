import type { ScriptedStep } from "@cogency/provider";
import { expect, it, onTestFinished, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";

/** What is written to stderr until the test ends. */
function stderrText(): () => string {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  return () => write.mock.calls.map(([chunk]) => String(chunk).replaceAll(/\s+/g, " ")).join("");
}

/** A chat in which the person has said ten things, after which this step of the model chooses. */
async function chatOfTen(choosing: ScriptedStep) {
  const answers = Array.from({ length: 10 }, () => "Done.<end>");
  const chat = conversationWith([...answers, choosing], {}, { memory: "on" });
  for (const { at } of answers.map((_, at) => ({ at }))) {
    if (at === 9) expect(chat.provider.requests).toHaveLength(9);
    chat.conversation.submit(`I like word${at}.`);
    await chat.idle();
  }
  await vi.waitFor(() => expect(chat.provider.requests).toHaveLength(11), { timeout: 60_000 });
  return chat;
}

const keeps = JSON.stringify({ keep: [{ message: 4, words: "I like word3.", about: "person" }], drop: [] });

it("a chat learns after ten messages, and says so, with what it took", async () => {
  const told = stderrText();
  const { conversation, shown, provider } = await chatOfTen(keeps);
  await vi.waitFor(() => expect(told()).toMatch(/Read 10 messages of yours .* kept 1, .* This took \d+ tokens\./), {
    timeout: 60_000,
  });
  await conversation.command("memory", "");
  expect(shown.join("\n")).toMatch(/[a-z0-9]{6}: I like word3\. \(person, .*, c\)/);
  expect(provider.requests.at(-1)?.system).toContain("You choose what an assistant remembers");
});

it("a chat that is left waits for what is being learned, also after a change of the mode", async () => {
  const told = stderrText();
  const { conversation } = await chatOfTen({ chunks: keeps, delay: 1000 });
  await conversation.session.setMode("read-only");
  await conversation.close();
  expect(told()).toContain("kept 1");
});

it("a chat that is left waits four seconds at most, and is told of no failure", async () => {
  const told = stderrText();
  const { conversation } = await chatOfTen({ hang: true });
  const since = performance.now();
  await conversation.close();
  const seconds = (performance.now() - since) / 1000;
  // A model that hangs would keep it for a minute.
  expect(seconds).toBeGreaterThan(3.9);
  expect(seconds).toBeLessThan(30);
  expect(told()).toBe("");
});
