import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { protocolDriver } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import { type ScriptedProvider, type ScriptedStep, scripted } from "@cogency/provider";
import { expect, onTestFinished, vi } from "vitest";
import type { SessionChoice } from "../../src/chat/conversation/chat-session.ts";
import { Conversation } from "../../src/chat/conversation/conversation.ts";
import type { Person } from "../../src/chat/conversation/person.ts";
import { slashCommand } from "../../src/chat/slash/slash-commands.ts";

const refusing: Person = {
  canAnswer: () => true,
  ask: async () => ({ approved: false, reason: "the user said no: not today" }),
  answer: async () => "yes",
};

/**
 * A conversation in memory, in a folder of its own, whose model plays these steps. `models` has one for each name that `/model` may
 * give. `shown` is what the person reads of it, except the events of runs; `chosen` holds the rows that the person takes of lists, in turn. Without a `person`, each question is answered with no.
 */
export function conversationWith(
  steps: readonly ScriptedStep[],
  models: Record<string, ScriptedProvider> = {},
  choice: Partial<SessionChoice> = {},
  person: Person = refusing,
) {
  const root = mkdtempSync(join(tmpdir(), "cogency-chat-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const provider = scripted(steps);
  const shown: string[] = [];
  const givenBack: string[] = [];
  const inserted: string[] = [];
  const chosen: (number | undefined)[] = [];
  const events: RunEvent[] = [];
  const conversation = new Conversation({
    choice: {
      store: ":memory:",
      ephemeral: true,
      root,
      access: "project",
      sandbox: "off",
      driver: "protocol",
      dialect: "json",
      startIn: "text",
      ...choice,
    },
    conversation: "c",
    person,
    command: slashCommand,
    view: {
      keys: [["Esc", "goes back"]],
      said: (text) => void shown.push(`> ${text}`),
      event: (event) => void events.push(event),
      remark: (text) => void shown.push(text),
      list: (rows) => void shown.push(...rows.map(([name, text]) => `${name}: ${text}`)),
      text: (text) => void shown.push(text),
      diff: (lines) => void shown.push(...lines),
      async choose({ title, rows }) {
        shown.push(title, ...rows);
        return chosen.shift();
      },
      insert: (text) => inserted.push(text) > 0,
      terminalClipboard: async () => "from the terminal",
      copy: (text) => shown.push(`copied: ${text}`) > 0,
      giveBack: (text) => void givenBack.push(text),
      changed() {},
      turnEnded() {},
      showThinking: (isShown) => void shown.push(`thinking is shown: ${isShown}`),
    },
    choose: async ({ model = "" }) => ({
      provider: models[model] ?? provider,
      driver: protocolDriver(),
      prices: undefined,
    }),
  });
  onTestFinished(() => conversation.close());
  const idle = () =>
    vi.waitFor(() => expect(conversation.state).toMatchObject({ turn: undefined, own: undefined }), {
      timeout: 60_000,
    });
  return { conversation, root, provider, shown, givenBack, inserted, chosen, events, idle };
}
