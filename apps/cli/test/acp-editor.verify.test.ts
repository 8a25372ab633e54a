import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { problemsIn } from "./support/acp-messages.ts";
import { calling, place, written } from "./support/command-line.ts";
import { editorOf, option, saidIn } from "./support/editor.ts";
import { isolation } from "./support/isolation.ts";
import { oldSseServer } from "./support/old-sse-server.ts";

const { isolated } = await isolation();
const allowing = { permission: (request: Parameters<typeof option>[0]) => option(request, "allow_once") };

describe("what an editor brings to a session of cogency acp", { timeout: 300_000 }, () => {
  it("is a server over streamable HTTP, which gets the headers of the editor", async () => {
    const { start, folder } = place();
    const port = String(await freePort());
    const serving = start(["mcp", "serve", "--http", port], { env: { COGENCY_MCP_TOKEN: "one-of-this-test" } });
    await written(serving.stderr, /Ctrl-C ends it\./);
    const read = calling([{ name: "files__read", args: { file: "notes.txt" } }]);
    const editor = editorOf(start(["acp", ...read], { keepsInput: true }), allowing);
    const headers = [{ name: "Authorization", value: "Bearer one-of-this-test" }];
    const files = { type: "http" as const, name: "files", url: `http://127.0.0.1:${port}/mcp`, headers };
    const { sessionId } = await editor.begin(folder, [files]);
    expect((await editor.prompt(sessionId, "go")).stopReason).toBe("end_turn");
    expect(JSON.stringify(editor.updates)).toContain("hello from the notes");
    expect(await editor.leave()).toBe(0);
    expect(problemsIn(editor.crossed)).toEqual([]);
    expect(editor.stderr).not.toContain("one-of-this-test");
  });

  it("is a server over SSE", async () => {
    const { start, folder } = place();
    const { url, asked } = await oldSseServer(["X-Key", "one-of-this-test"]);
    const add = calling([{ name: "old__add", args: { a: 19, b: 23 } }]);
    const editor = editorOf(start(["acp", ...add], { keepsInput: true }), allowing);
    const headers = [{ name: "X-Key", value: "one-of-this-test" }];
    const { sessionId } = await editor.begin(folder, [{ type: "sse", name: "old", url, headers }]);
    expect((await editor.prompt(sessionId, "go")).stopReason).toBe("end_turn");
    expect(JSON.stringify(editor.updates)).toContain('"42"');
    expect(asked).toContain("tools/call");
    expect(await editor.leave()).toBe(0);
    expect(problemsIn(editor.crossed)).toEqual([]);
  });

  it.each([
    { sandbox: "off", isUsed: true },
    { sandbox: "required", isUsed: false },
  ])("is a terminal: with --sandbox $sandbox a command runs in one: $isUsed", async ({ sandbox, isUsed }) => {
    if (!isUsed && !isolated) return;
    const { start, folder } = place();
    const model = calling([{ name: "shell", args: { command: "echo printed; exit 3" } }]);
    const editor = editorOf(start(["acp", "--sandbox", sandbox, ...model], { keepsInput: true }), {
      ...allowing,
      capabilities: { terminal: true },
    });
    const { sessionId } = await editor.begin(folder);
    expect((await editor.prompt(sessionId, "go")).stopReason).toBe("end_turn");
    expect(editor.terminals.size).toBe(isUsed ? 1 : 0);
    const updates = JSON.stringify(editor.updates);
    expect(updates).toContain("printed");
    expect(updates.includes('"type":"terminal"')).toBe(isUsed);
    for (const terminal of editor.terminals.values()) expect(terminal).toMatchObject({ isReleased: true });
    expect(await editor.leave()).toBe(0);
    expect(problemsIn(editor.crossed)).toEqual([]);
  });
});

describe("a list of sessions", { timeout: 300_000 }, () => {
  it("loses a session that the editor deletes, also for the command line", async () => {
    const { start, folder, cogency } = place();
    const editor = editorOf(start(["acp", "--provider", "offline"], { keepsInput: true }));
    const { sessionId } = await editor.begin(folder);
    await editor.prompt(sessionId, "read notes.txt");
    expect((await cogency(["history", "show", sessionId])).code).toBe(0);
    await editor.agent.request("session/delete", { sessionId });
    expect(await editor.agent.request("session/list", { cwd: folder })).toMatchObject({ sessions: [] });
    expect((await cogency(["history", "show", sessionId])).code).toBe(2);
    await expect(editor.prompt(sessionId, "again")).rejects.toThrow();
    expect(await editor.leave()).toBe(0);
    expect(problemsIn(editor.crossed)).toEqual([]);
  });

  it("gets a fork, which knows what was said, and goes its own way", async () => {
    const { start, folder, cogency } = place();
    const write = (file: string) => [{ name: "write", args: { file, content: "x" } }];
    const editor = editorOf(start(["acp", ...calling(write("a.txt"))], { keepsInput: true }), allowing);
    const { sessionId } = await editor.begin(folder);
    await editor.prompt(sessionId, "first words");
    const fork = { sessionId, cwd: folder, mcpServers: [] };
    const forked: { sessionId: string } = await editor.agent.request("session/fork", fork);
    expect(forked.sessionId).not.toBe(sessionId);
    expect((await editor.prompt(forked.sessionId, "other words")).stopReason).toBe("end_turn");
    const shown = async (id: string) => (await cogency(["history", "show", id])).stdout;
    expect(await shown(forked.sessionId)).toMatch(/first words[\s\S]*other words/);
    expect(await shown(sessionId)).not.toContain("other words");
    expect(existsSync(join(folder, "a.txt"))).toBe(true);
    const { sessions } = await editor.agent.request("session/list", { cwd: folder });
    expect(sessions.map((one) => one.sessionId).toSorted()).toEqual([sessionId, forked.sessionId].toSorted());
    expect(saidIn(editor.updates)).toContain("That was it.");
    expect(await editor.leave()).toBe(0);
    // The stable schema does not know forks yet.
    expect(problemsIn(editor.crossed).filter((problem) => !problem.includes("session/fork"))).toEqual([]);
  });
});
