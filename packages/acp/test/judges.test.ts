import type { AnyMessage } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { chosen, editor, type Sent } from "./support/editor.ts";
import { schemaFaults } from "./support/schema-judge.ts";
import { noiseIn, sessionFaults } from "./support/session-judge.ts";
import { site, writeCall } from "./support/site.ts";

/** Breaks the messages of a whole session, each in one way. */
const broken: Readonly<Record<string, { break: (sent: Sent[]) => Sent[]; fault: RegExp }>> = {
  "a status that does not exist": {
    break: (sent) => changed(sent, "tool_call_update", { status: "running" }),
    fault: /the status running does not exist/,
  },
  "a kind that does not exist": {
    break: (sent) => changed(sent, "tool_call", { kind: "magic" }),
    fault: /Notification of session\/update/,
  },
  "an update that does not exist": {
    break: (sent) => changed(sent, "agent_message_chunk", { sessionUpdate: "agent_song" }),
    fault: /Notification of session\/update/,
  },
  "a text without its block": {
    break: (sent) => changed(sent, "agent_message_chunk", { content: "Done." }),
    fault: /Notification of session\/update/,
  },
  "a call without a title": {
    break: (sent) => changed(sent, "tool_call", { title: undefined }),
    fault: /Notification of session\/update/,
  },
  "an empty text": {
    break: (sent) => changed(sent, "agent_message_chunk", { content: { type: "text", text: "" } }),
    fault: /an empty agent_message_chunk/,
  },
  "an update after the end": {
    break: (sent) => [...sent, ...found(sent, "agent_message_chunk").slice(0, 1)],
    fault: /while no prompt is at work/,
  },
  "a call that never ends": {
    break: (sent) => sent.filter((one) => updateOf(one)?.status !== "completed"),
    fault: /never ends/,
  },
  "a call that begins twice": {
    break: (sent) => sent.flatMap((one) => (kindOf(one) === "tool_call" ? [one, one] : [one])),
    fault: /begins twice/,
  },
  "a call that nobody has begun": {
    break: (sent) => sent.filter((one) => kindOf(one) !== "tool_call"),
    fault: /an update of the unknown call/,
  },
  "a call that goes on after its end": {
    break: (sent) => sent.flatMap((one) => (updateOf(one)?.status === "completed" ? [one, one] : [one])),
    fault: /which has ended/,
  },
  "a call that goes back": {
    break: (sent) =>
      sent.map((one) => (updateOf(one)?.status === "completed" ? withUpdate(one, { status: "pending" }) : one)),
    fault: /goes back to pending/,
  },
  "an update of an unknown session": {
    break: (sent) => sent.map((one) => (kindOf(one) === "agent_message_chunk" ? withSession(one, "elsewhere") : one)),
    fault: /unknown session elsewhere/,
  },
  "a request that is not answered": {
    break: (sent) => sent.filter(({ message }) => !("result" in message && isPromptEnd(message))),
    fault: /was never answered/,
  },
  "an answer that nobody has asked for": {
    break: (sent) => [...sent, { from: "agent", message: { jsonrpc: "2.0", id: 99, result: {} } }],
    fault: /which is not asked|nobody has made/,
  },
  "a stop reason that does not exist": {
    break: (sent) =>
      sent.map((one) =>
        "result" in one.message && isPromptEnd(one.message)
          ? { ...one, message: { ...one.message, result: { stopReason: "done" } } }
          : one,
      ),
    fault: /Response of session\/prompt/,
  },
  "a question taken back that is not open": {
    break: (sent) => [
      ...sent,
      { from: "agent", message: { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 77 } } },
    ],
    fault: /that is not open/,
  },
  "an error without words": {
    break: (sent) => [
      ...sent,
      { from: "agent", message: { jsonrpc: "2.0", id: null, error: { code: -1, message: "" } } },
    ],
    fault: /no error with a code and words/,
  },
  "another version of JSON-RPC": {
    break: (sent) =>
      sent.map((one) => ({ ...one, message: { ...one.message, jsonrpc: "1.0" } as unknown as AnyMessage })),
    fault: /is no JSON-RPC 2.0/,
  },
};

describe("the judges of the messages", () => {
  const play = async () => {
    const here = editor(site([writeCall, "Done.<end>"]).acp, { permission: () => chosen("allow") });
    await here.prompt(await here.open(), "Write");
    return [...here.sent];
  };

  it("have nothing against a whole session", async () => {
    const sent = await play();
    expect([...schemaFaults(sent), ...sessionFaults(sent)]).toEqual([]);
  });

  it.each(Object.entries(broken))("notice %s", async (_, { break: breakIt, fault }) => {
    const sent = await play();
    const messages = breakIt(sent);
    expect(JSON.stringify(messages)).not.toBe(JSON.stringify(sent));
    expect([...schemaFaults(messages), ...sessionFaults(messages)].join("\n")).toMatch(fault);
  });

  it("notice what a program prints beside messages", async () => {
    const sent = await play();
    const output = `${JSON.stringify(sent[0]?.message)}\nloading…\n{"a":1}\n`;
    expect(noiseIn(output)).toEqual(["loading…", '{"a":1}']);
  });
});

type Fields = Record<string, unknown>;

function updateOf({ message }: Sent): Fields | undefined {
  return "method" in message ? ((message.params as Fields | undefined)?.update as Fields | undefined) : undefined;
}

function kindOf(one: Sent): unknown {
  return updateOf(one)?.sessionUpdate;
}

function found(sent: readonly Sent[], kind: string): Sent[] {
  return sent.filter((one) => kindOf(one) === kind);
}

function withUpdate(one: Sent, fields: Fields): Sent {
  const message = JSON.parse(JSON.stringify({ ...one.message, params: undefined }));
  const params = (one.message as { params: Fields }).params;
  return { ...one, message: { ...message, params: { ...params, update: { ...updateOf(one), ...fields } } } };
}

function withSession(one: Sent, sessionId: string): Sent {
  const params = (one.message as unknown as { params: Fields }).params;
  return { ...one, message: { ...one.message, params: { ...params, sessionId } } as AnyMessage };
}

function changed(sent: readonly Sent[], kind: string, fields: Fields): Sent[] {
  return sent.map((one) => (kindOf(one) === kind ? withUpdate(one, fields) : one));
}

function isPromptEnd(message: AnyMessage & { result: unknown }): boolean {
  return (message.result as Fields | null)?.stopReason !== undefined;
}
