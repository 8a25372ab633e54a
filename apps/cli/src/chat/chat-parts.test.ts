import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { fakeStream } from "../../test/support/fake-stream.ts";
import { chatParts } from "./chat-parts.ts";

const models = join(import.meta.dirname, "../../test/fixtures/chat-models.ts");

it("28: the end of a turn is told if the turn took longer than ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const root = mkdtempSync(join(tmpdir(), "cogency-parts-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const shown: string[] = [];
  const told: string[] = [];
  const { conversation } = chatParts({
    choice: {
      store: ":memory:",
      ephemeral: true,
      root,
      access: "project",
      sandbox: "off",
      provider: models,
      model: "talking",
      driver: "protocol",
      dialect: "json",
      startIn: "text",
    },
    conversation: "c",
    paper: { add: (block) => void shown.push(...block(80)), refresh() {}, stream: fakeStream() },
    size: () => ({ columns: 80, rows: 24 }),
    giveBack() {},
    type() {},
    hands: {
      copy: () => false,
      choose: async () => undefined,
      insert: () => false,
      terminalClipboard: async () => undefined,
    },
    notify: (text) => void told.push(text),
  });
  onTestFinished(() => conversation.close());
  for (const [turn, milliseconds] of [5_000, 10_001].entries()) {
    conversation.submit("hang");
    await vi.waitFor(() => expect(shown.filter((line) => line === "> hang")).toHaveLength(turn + 1), {
      timeout: 60_000,
    });
    vi.advanceTimersByTime(milliseconds);
    conversation.cancel("Esc.");
    await vi.waitFor(() => expect(conversation.state.turn).toBeUndefined(), { timeout: 60_000 });
  }
  expect(told).toEqual(["The agent has stopped working."]);
});
