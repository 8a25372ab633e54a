import { defineTool, type Tool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { type Person, revisions } from "../../../test/server/person.ts";
import { call, type Rpc, rawClient } from "../../../test/server/raw-client.ts";
import { probeTools } from "../../../test/server/tools.ts";
import { mcpHost, mcpServer } from "../index.ts";

const approve: Person = () => ({ action: "accept", content: { decision: "approve" } });
const write = call("write", { path: "notes.md", text: "hello" });

const table = { type: "object", properties: { seats: { type: "integer" } }, required: ["seats"] } as const;

function asking(ask: Tool["execute"], asks = true): Tool {
  return defineTool({
    name: "book",
    description: "Books a table.",
    input: { type: "object", properties: {} },
    annotations: { readOnlyHint: true },
    asks,
    execute: ask,
  });
}

describe.each(revisions)("a person at a client of $revision", ({ called }) => {
  it("reads the whole call, and approves it", async () => {
    const { tools, ran } = probeTools();
    const seen: Rpc[] = [];
    const answer = await called(rawClient(mcpServer({ tools })), write, (asked) => {
      seen.push(asked);
      return approve(asked);
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method: "elicitation/create", params: { mode: "form" } });
    const { message } = (seen[0]?.params ?? {}) as { message?: string };
    expect(message).toBe('May write run?\n\n{\n  "path": "notes.md",\n  "text": "hello"\n}');
    expect(answer.result).toMatchObject({ structuredContent: { written: "notes.md" } });
    expect(ran).toEqual(["write notes.md"]);
  });

  it.each([
    ["denies with a reason", { action: "accept", content: { decision: "deny", reason: "not today" } }, "not today"],
    ["declines", { action: "decline" }, "The person declined to answer."],
    ["closes the question", { action: "cancel" }, "The person closed the question."],
  ])("%s, and nothing runs", async (_, given, text) => {
    const { tools, ran } = probeTools();
    const { result } = await called(rawClient(mcpServer({ tools })), write, () => given);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(text) }] });
    expect(ran).toEqual([]);
  });

  it("sees characters that hide or turn others, as their codes", async () => {
    const { tools } = probeTools();
    let message = "";
    const hidden = call("write", { path: "a\u202Eb\u200Bc\u{E0041}" });
    await called(rawClient(mcpServer({ tools })), hidden, (asked) => {
      message = String(asked.params.message);
      return approve(asked);
    });
    expect(message).toContain("a\\u{202e}b\\u{200b}c\\u{e0041}");
  });

  it("is not asked about a call too long to be read, which does not run", async () => {
    const { tools, ran } = probeTools();
    const { result } = await called(
      rawClient(mcpServer({ tools })),
      call("write", { path: "x".repeat(40_000) }),
      approve,
    );
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("too long") }] });
    expect(ran).toEqual([]);
  });

  it("is not asked where the client cannot ask: the refusal says what the host can do", async () => {
    const { tools, ran } = probeTools();
    const { result } = await called(rawClient(mcpServer({ tools })), write, approve, {} as never);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("allow the tool by a rule") }],
    });
    expect(ran).toEqual([]);
  });

  it("is not asked where a rule of the host decides", async () => {
    const { tools, ran } = probeTools();
    const execution = { approval: { policy: { tools: { write: "allow" } } } } as const;
    await called(rawClient(mcpServer({ tools, execution })), write, () => expect.unreachable("asked"));
    expect(ran).toEqual(["write notes.md"]);
  });

  it("is not asked where the host asks somebody itself", async () => {
    const { tools, ran } = probeTools();
    const execution = { approval: { approve: () => true } };
    await called(rawClient(mcpServer({ tools, execution })), write, () => expect.unreachable("asked"));
    expect(ran).toEqual(["write notes.md"]);
  });

  it("answers the questions of a body, one after another", async () => {
    const tool = asking(async (_, { ask }) => {
      const { seats } = await ask({ message: "How many?", schema: table });
      return `${seats} for ${await ask({ message: "For whom?" })}`;
    });
    const { result } = await called(rawClient(mcpServer({ tools: [tool] })), call("book"), ({ params }) =>
      params.message === "How many?"
        ? { action: "accept", content: { seats: 4 } }
        : { action: "accept", content: { answer: "Ada" } },
    );
    expect(result.content).toEqual([{ type: "text", text: "4 for Ada" }]);
  });

  it("is asked again after an answer that does not fit, and reads why", async () => {
    const messages: string[] = [];
    const tool = asking(async (_, { ask }) => JSON.stringify(await ask({ message: "How many?", schema: table })));
    const { result } = await called(rawClient(mcpServer({ tools: [tool] })), call("book"), ({ params }) => {
      messages.push(String(params.message));
      return { action: "accept", content: { seats: messages.length === 1 ? "four" : 4 } };
    });
    expect(result.content).toEqual([{ type: "text", text: '{"seats":4}' }]);
    expect(messages[1]).toContain("The last answer does not fit");
  });

  it("gives an answer that no field can hold as JSON", async () => {
    const schema = { type: "object", properties: { days: { type: "array", items: { type: "object" } } } } as const;
    const tool = asking(async (_, { ask }) => JSON.stringify(await ask({ message: "Which days?", schema })));
    const { result } = await called(rawClient(mcpServer({ tools: [tool] })), call("book"), ({ params }) => {
      expect(params).toMatchObject({ requestedSchema: { properties: { answer: { type: "string" } } } });
      return { action: "accept", content: { answer: '{"days":[{"at":1}]}' } };
    });
    expect(result.content).toEqual([{ type: "text", text: '{"days":[{"at":1}]}' }]);
  });

  it("answers a form, a sample and roots that a body asks for together", async () => {
    const tool = asking(async (_, context) => {
      const host = mcpHost(context);
      const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;
      const all = await Promise.all([
        host?.elicit("sure", { message: "Sure?", schema }),
        host?.sample("poem", { messages: [{ role: "user", text: "A poem" }], maxTokens: 9 }),
        host?.roots(),
      ]);
      return JSON.stringify(all);
    });
    const answers: Record<string, unknown> = {
      "elicitation/create": { action: "accept", content: { ok: true } },
      "sampling/createMessage": { role: "assistant", content: { type: "text", text: "roses" }, model: "m" },
      "roots/list": { roots: [{ uri: "file:///srv" }] },
    };
    const capabilities = { elicitation: {}, sampling: {}, roots: {} };
    const server = mcpServer({ tools: [tool] });
    const { result } = await called(rawClient(server), call("book"), ({ method }) => answers[method], capabilities);
    expect(JSON.parse(result.content[0].text)).toEqual([
      { ok: true },
      { text: "roses", attachments: [], model: "m" },
      [{ uri: "file:///srv" }],
    ]);
  });
});
