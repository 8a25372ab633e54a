import { describe, expect, it } from "vitest";
import { callOf, site } from "./support/site.ts";
import { wild } from "./support/wild-client.ts";

const text = (words: string) => ({ type: "text", text: words });
const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);

/** Requests that no editor makes, and what they get: a code, and words of it. */
const refused: Readonly<Record<string, [request: object, code: number, words: RegExp]>> = {
  "a method that there is not": [{ method: "session/dance", params: {} }, -32601, /not found/i],
  "a prompt for a session that is not open": [
    { method: "session/prompt", params: { sessionId: "none", prompt: [text("hi")] } },
    -32002,
    /is not open/,
  ],
  "a prompt without a session": [{ method: "session/prompt", params: { prompt: [text("hi")] } }, -32602, /./],
  "a prompt that is a text": [{ method: "session/prompt", params: { sessionId: "OPEN", prompt: "hi" } }, -32602, /./],
  "a prompt without blocks": [
    { method: "session/prompt", params: { sessionId: "OPEN", prompt: [] } },
    -32602,
    /is empty/,
  ],
  "a prompt of spaces": [
    { method: "session/prompt", params: { sessionId: "OPEN", prompt: [text(" \n")] } },
    -32602,
    /is empty/,
  ],
  "a block of an unknown type": [ofOpen({ type: "dance" }), -32602, /./],
  "a sound": [ofOpen({ type: "audio", data: "AAAA", mimeType: "audio/wav" }), -32602, /no audio/],
  "an image that is no base64": [ofOpen({ type: "image", data: "!!", mimeType: "image/png" }), -32602, /not base64/],
  "an image of another type": [ofOpen({ type: "image", data: "AAAA", mimeType: "text/html" }), -32602, /image\//],
  "a file that is no base64": [
    ofOpen({ type: "resource", resource: { uri: "file:///a.pdf", blob: "%", mimeType: "application/pdf" } }),
    -32602,
    /not base64/,
  ],
  "a session in a relative folder": [
    { method: "session/new", params: { cwd: "src", mcpServers: [] } },
    -32602,
    /absolute/,
  ],
  "a session in no folder": [{ method: "session/new", params: { mcpServers: [] } }, -32602, /./],
  "a session in a folder with 10,000 characters": [
    { method: "session/new", params: { cwd: `/${"a".repeat(10_000)}`, mcpServers: [] } },
    -32602,
    /^A folder is an absolute path of at most 4096 characters, not "\/a{99}…?.{0,3}\.$/,
  ],
  "a session whose name turns the line around": [
    { method: "session/close", params: { sessionId: "\u202eevil" } },
    -32002,
    /^The session "\\u202eevil" is not open/,
  ],
  "a method whose name turns the line around": [{ method: "\u202eevil", params: {} }, -32601, /\\u202eevil/],
  "a mode whose name turns the line around": [
    { method: "session/set_mode", params: { sessionId: "OPEN", modeId: "\u202eevil\u001b[2J" } },
    -32602,
    /"\\u202eevil\\u001b\[2J"/,
  ],
  "a setting whose name turns the line around": [
    { method: "session/set_config_option", params: { sessionId: "OPEN", configId: "\u202eevil", value: "y" } },
    -32602,
    /"\\u202eevil"/,
  ],
  "a folder with a zero byte": [
    { method: "session/new", params: { cwd: "/a\0b", mcpServers: [] } },
    -32602,
    /absolute/,
  ],
  "a session with a relative folder beside it": [
    { method: "session/new", params: { cwd: "/a", mcpServers: [], additionalDirectories: ["b"] } },
    -32602,
    /absolute/,
  ],
  "a server over HTTP, which the agent does not take": [
    {
      method: "session/new",
      params: { cwd: "/a", mcpServers: [{ type: "http", name: "x", url: "http://x", headers: [] }] },
    },
    -32602,
    /over http/,
  ],
  "a server without a command": [
    { method: "session/new", params: { cwd: "/a", mcpServers: [{ name: "x" }] } },
    -32602,
    /./,
  ],
  "a load of a session that there is not": [
    { method: "session/load", params: { sessionId: "none", cwd: "/a", mcpServers: [] } },
    -32002,
    /There is no session "none"/,
  ],
  "a resume of a session that there is not": [
    { method: "session/resume", params: { sessionId: "none", cwd: "/a" } },
    -32002,
    /no session/,
  ],
  "a session whose name has control characters": [
    { method: "session/load", params: { sessionId: "a\u001b[2J", cwd: "/a", mcpServers: [] } },
    -32602,
    /control characters/,
  ],
  "a session whose name is too long": [
    { method: "session/load", params: { sessionId: "a".repeat(600), cwd: "/a", mcpServers: [] } },
    -32602,
    /512/,
  ],
  "a close of a session that is not open": [
    { method: "session/close", params: { sessionId: "none" } },
    -32002,
    /not open/,
  ],
  "a list, which the agent does not have": [{ method: "session/list", params: {} }, -32601, /./],
  "a delete, which the agent does not have": [{ method: "session/delete", params: { sessionId: "x" } }, -32601, /./],
  "a fork, which the agent does not have": [
    { method: "session/fork", params: { sessionId: "x", cwd: "/a" } },
    -32601,
    /./,
  ],
  "a mode that there is not": [
    { method: "session/set_mode", params: { sessionId: "OPEN", modeId: "x" } },
    -32602,
    /no mode/,
  ],
  "a setting that there is not": [
    { method: "session/set_config_option", params: { sessionId: "OPEN", configId: "x", value: "y" } },
    -32602,
    /no setting/,
  ],
  "a way to authenticate that there is not": [
    { method: "authenticate", params: { methodId: "x" } },
    -32602,
    /no such way/,
  ],
  "parameters that are a list": [{ method: "session/prompt", params: [] }, -32602, /./],
  "parameters that are nested too deeply": [
    { method: "session/prompt", params: { sessionId: "OPEN", prompt: [], _meta: nested(500) } },
    -32600,
    /nested too deeply/,
  ],
};

function ofOpen(...blocks: unknown[]): object {
  return { method: "session/prompt", params: { sessionId: "OPEN", prompt: blocks } };
}

describe("a hostile client", () => {
  it.each(Object.entries(refused))("gets an error for %s, and the agent goes on", async (_, [request, code, words]) => {
    const client = await wild();
    const open = await client.begin();
    const named = JSON.parse(JSON.stringify(request).replaceAll('"OPEN"', JSON.stringify(open)));
    await client.send({ jsonrpc: "2.0", id: 7, ...named });
    const { error } = await client.answerTo(7);
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    const { result } = await client.ask(8, {
      method: "session/prompt",
      params: { sessionId: open, prompt: [text("hi")] },
    });
    expect(result).toEqual({ stopReason: "end_turn" });
    await client.connection.close();
    expect(client.closed).toEqual([open]);
  });

  it.each([
    [
      "before it has said who it is",
      { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } },
      1,
    ],
    ["with something that is no message", { hello: "world" }, null],
    ["with a batch", [{ jsonrpc: "2.0", id: 1, method: "initialize" }], null],
    ["with a text", "hello", null],
  ])("gets an error if it begins %s", async (_, message, id) => {
    const client = await wild();
    await client.send(message);
    expect((await client.answerTo(id)).error).toMatchObject({ code: -32600 });
    await client.begin();
    await client.connection.close();
  });

  it("gets an error for an id that is in use, and the first request is answered", async () => {
    const gate = Promise.withResolvers<void>();
    const client = await wild(site([callOf("wait"), "Done.<end>"], { gate: gate.promise }));
    const sessionId = await client.begin();
    const asked = { jsonrpc: "2.0", id: 5, method: "session/prompt", params: { sessionId, prompt: [text("hi")] } };
    await client.send(asked);
    await client.send(asked);
    expect((await client.answerTo(null)).error?.message).toMatch(/id is not answered/);
    gate.resolve();
    expect((await client.answerTo(5)).result).toEqual({ stopReason: "end_turn" });
    await client.connection.close();
  });

  it("gets an error for a second prompt while the first is at work", async () => {
    const gate = Promise.withResolvers<void>();
    const client = await wild(site([callOf("wait"), "Done.<end>"], { gate: gate.promise }));
    const sessionId = await client.begin();
    const params = { sessionId, prompt: [text("hi")] };
    await client.send({ jsonrpc: "2.0", id: 5, method: "session/prompt", params });
    expect((await client.ask(6, { method: "session/prompt", params })).error).toMatchObject({
      code: -32600,
      message: expect.stringContaining("at work on a prompt"),
    });
    expect(
      (await client.ask(7, { method: "session/load", params: { sessionId, cwd: "/project", mcpServers: [] } })).error,
    ).toMatchObject({ message: expect.stringMatching(/at work|no session/) });
    gate.resolve();
    expect((await client.answerTo(5)).result).toEqual({ stopReason: "end_turn" });
    await client.connection.close();
  });

  it("cancels its own request, and gets `cancelled`", async () => {
    const client = await wild(site([callOf("wait"), "Never.<end>"], { gate: new Promise(() => {}) }));
    const sessionId = await client.begin();
    await client.send({ jsonrpc: "2.0", id: 5, method: "session/prompt", params: { sessionId, prompt: [text("hi")] } });
    await expect.poll(() => JSON.stringify(client.answers), { timeout: 20_000 }).toContain("in_progress");
    await client.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 5 } });
    expect((await client.answerTo(5)).result).toEqual({ stopReason: "cancelled" });
    await client.connection.close();
  });

  it("may open only so many sessions", async () => {
    const client = await wild(site([], { acp: { maxSessions: 2 } }));
    await client.begin();
    const more = (id: number) => client.ask(id, { method: "session/new", params: { cwd: "/", mcpServers: [] } });
    expect((await more(2)).error).toBeUndefined();
    expect((await more(3)).error).toMatchObject({
      code: -32600,
      message: expect.stringContaining("Too many sessions"),
    });
    await client.connection.close();
  });

  it("gets nothing of what hurries: cancels, answers and notices that fit nothing", async () => {
    const client = await wild();
    const sessionId = await client.begin();
    await client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "none" } });
    await client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    await client.send({ jsonrpc: "2.0", method: "session/cancel", params: 5 });
    await client.send({ jsonrpc: "2.0", id: 99, result: {} });
    await client.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 99 } });
    const { result } = await client.ask(5, { method: "session/prompt", params: { sessionId, prompt: [text("hi")] } });
    expect(result).toEqual({ stopReason: "end_turn" });
    await client.connection.close();
  });
});
