import { scripted } from "@cogency/provider";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import { statusLine } from "../status-line.ts";

const capabilities = { tools: true, session: false, reasoning: true, thinking: true, format: true };
const able = (steps: Parameters<typeof scripted>[0]) => scripted(steps, { capabilities });
const list = `<execute>${JSON.stringify([{ name: "list", args: {} }])}</execute>`;

describe("how much the model thinks", () => {
  it("changes with its next request, in a turn that goes on too, and back with the next turn", async () => {
    const model = able([
      () => {
        void conversation.command("think", "high");
        return list;
      },
      "Done.<end>",
      "Again.<end>",
    ]);
    const { conversation, idle } = conversationWith([], { able: model }, { model: "able", think: "low" });
    conversation.submit("look");
    await vi.waitFor(() => expect(model.requests).toHaveLength(2), { timeout: 60_000 });
    await idle();
    await conversation.command("think", "default");
    conversation.submit("again");
    await vi.waitFor(() => expect(model.requests).toHaveLength(3), { timeout: 60_000 });
    await idle();
    expect(model.requests.map(({ thinking }) => thinking)).toEqual(["low", "high", undefined]);
  });

  it.each([
    ["", "think low"],
    ["max", "think max"],
    ["default", "think default"],
    ["next", "think medium"],
    ["much", "There is no level much of thinking: default, off, low, medium, high, max."],
  ])("/think %s says what is asked for", async (argument, answer) => {
    const { conversation, shown } = conversationWith([], { able: able([]) }, { model: "able", think: "low" });
    await conversation.command("think", argument);
    expect(shown).toEqual([answer]);
  });

  it("goes through all levels by the key, and back to what the model does by itself", async () => {
    const { conversation, shown } = conversationWith([], { able: able([]) }, { model: "able" });
    for (let press = 0; press < 6; press++) await conversation.command("think", "next");
    expect(shown).toEqual(["off", "low", "medium", "high", "max", "default"].map((level) => `think ${level}`));
  });

  it("is told to change nothing where the provider has no levels", async () => {
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => stderr.mockRestore());
    const { conversation, shown } = conversationWith([]);
    await conversation.command("think", "high");
    expect(shown).toEqual(["think high"]);
    const written = stderr.mock.calls.map(([text]) => String(text)).join("");
    expect(written).toContain("The provider scripted has no levels of thinking: --think changes nothing.");
  });

  it("stands in the foot while it is set", async () => {
    const { conversation } = conversationWith([], { able: able([]) }, { model: "able", think: "high" });
    const line = () =>
      statusLine({ ...conversation.state, isAsking: false, place: "shop" }, conversation.usage, 100, performance.now());
    expect(line()).toContain("think high");
    await conversation.command("think", "default");
    expect(line()).not.toContain("think");
  });
});
