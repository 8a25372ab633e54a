import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect, onTestFinished, vi } from "vitest";
import type { SessionChoice } from "../../src/chat/conversation/chat-session.ts";
import { Conversation } from "../../src/chat/conversation/conversation.ts";
import { PlainOutput } from "../../src/chat/plain/plain-output.ts";
import { PlainTurns } from "../../src/chat/plain/plain-turns.ts";
import { slashCommand } from "../../src/chat/slash/slash-commands.ts";

/** What a plain chat says, a line each, until the turn has ended that the last of the texts begins. */
export async function plainTalk(typed: string, choice: Partial<SessionChoice>, ...more: string[]): Promise<string[]> {
  let said = "";
  const sink = new Writable({
    write(chunk, _, done) {
      said += chunk;
      done();
    },
  });
  const output = new PlainOutput(Object.assign(sink, { columns: 200 }) as unknown as NodeJS.WriteStream);
  const turns = new PlainTurns(output);
  const root = mkdtempSync(join(tmpdir(), "cogency-chat-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const ended = Promise.withResolvers<void>();
  const conversation = new Conversation({
    choice: {
      ...{ store: ":memory:", ephemeral: true, root, access: "project", sandbox: "off" },
      ...{ driver: "protocol", dialect: "json", startIn: "text", ...choice },
    },
    conversation: "c",
    person: { canAnswer: () => true, ask: async () => ({ approved: false }), answer: async () => "yes" },
    command: slashCommand,
    view: {
      keys: [],
      said() {},
      event: (event, update) => turns.event(event, false, update),
      remark: (text, kind = "note") => output.say(kind, text),
      list() {},
      text() {},
      diff: (lines) => output.say("change", lines.join("\n")),
      choose: async () => undefined,
      insert: () => false,
      terminalClipboard: async () => undefined,
      copy: () => false,
      giveBack() {},
      changed() {},
      turnEnded: () => ended.resolve(),
      showThinking() {},
    },
  });
  onTestFinished(() => conversation.close());
  for (const text of [typed, ...more]) {
    const [, command, argument = ""] = /^\/(\w+) ?(.*)$/.exec(text) ?? [];
    if (command === undefined) conversation.submit(text);
    else await conversation.command(command, argument);
  }
  await ended.promise;
  await vi.waitFor(() => expect(conversation.state.turn).toBeUndefined(), { timeout: 60_000 });
  return said.split("\n").filter((line) => line !== "");
}
