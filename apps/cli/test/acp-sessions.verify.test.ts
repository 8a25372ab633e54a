import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { problemsIn } from "./support/acp-messages.ts";
import { calling, fixtures, jsonLines, place } from "./support/command-line.ts";
import { editorOf, option, saidIn } from "./support/editor.ts";

const write = (file: string) => ({ name: "write", args: { file, content: "x" } });
const shell = (command: string) => ({ name: "shell", args: { command } });
const files = { fs: { readTextFile: true, writeTextFile: true } };

describe("a session of cogency acp", { timeout: 300_000 }, () => {
  it("is valid in every line, in ten sessions of one process that do everything", async () => {
    const { start, folder } = place();
    const batches = [[{ name: "list", args: {} }], [write("a.txt")], [shell("echo hello; echo noise >&2")]];
    const editor = editorOf(start(["acp", ...calling(...batches)], { keepsInput: true }), {
      capabilities: files,
      permission: (request) => option(request, "allow_once"),
    });
    const { agent } = editor;
    await editor.initialize();
    const sessions: string[] = [];
    for (let number = 0; number < 10; number++) {
      const { sessionId } = await agent.request("session/new", { cwd: folder, mcpServers: [] });
      sessions.push(sessionId);
      if (number % 2 === 0) await agent.request("session/set_mode", { sessionId, modeId: "edits" });
      if (number % 3 === 0)
        await agent.request("session/set_config_option", { sessionId, configId: "driver", value: "auto" });
    }
    const answers = await Promise.all(sessions.map((sessionId) => editor.prompt(sessionId, "go")));
    expect(answers.map(({ stopReason }) => stopReason)).toEqual(sessions.map(() => "end_turn"));
    const listed = await agent.request("session/list", { cwd: folder });
    expect(listed.sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual(sessions.toSorted());
    const [first = "", second = "", third = ""] = sessions;
    await agent.request("session/close", { sessionId: first });
    await agent.request("session/load", { sessionId: first, cwd: folder, mcpServers: [] });
    await agent.request("session/resume", { sessionId: second, cwd: folder });
    await agent.request("session/delete", { sessionId: third });
    await expect(agent.request("session/load", { sessionId: third, cwd: folder, mcpServers: [] })).rejects.toThrow();
    await expect(agent.request("session/set_mode", { sessionId: first, modeId: "yes" })).rejects.toThrow(/no mode/);
    expect(await editor.leave()).toBe(0);
    expect(problemsIn(editor.crossed)).toEqual([]);
    expect(saidIn(editor.updates, "user_message_chunk")).toContain("go");
  });

  it("is found by the command line, which goes on with it, and the editor loads what was begun there", async () => {
    const { start, folder, cogency } = place();
    const offline = ["--provider", "offline"];
    const editor = editorOf(start(["acp", ...offline], { keepsInput: true }));
    const { sessionId } = await editor.begin(folder);
    await editor.prompt(sessionId, "read notes.txt");
    await editor.agent.request("session/close", { sessionId });

    const resumed = await cogency(["run", "list .", "--resume", sessionId, ...offline]);
    expect(resumed.code, resumed.stderr).toBe(0);
    const begun = await cogency(["run", "read notes.txt", "--conversation", "terminal", ...offline]);
    expect(begun.code).toBe(0);

    const { sessions } = await editor.agent.request("session/list", { cwd: folder });
    expect(sessions).toMatchObject([{ sessionId: "terminal", title: "read notes.txt" }, { sessionId }]);
    editor.updates.length = 0;
    await editor.agent.request("session/load", { sessionId, cwd: folder, mcpServers: [] });
    expect(saidIn(editor.updates, "user_message_chunk")).toBe("read notes.txtlist .");
    expect(saidIn(editor.updates)).toContain("hello from the notes");
    await editor.agent.request("session/load", { sessionId: "terminal", cwd: folder, mcpServers: [] });
    expect((await editor.prompt("terminal", "list .")).stopReason).toBe("end_turn");
    const shown = await cogency(["history", "show", "terminal"]);
    expect(shown.stdout).toContain("list .");
    await editor.leave();
    expect(problemsIn(editor.crossed)).toEqual([]);
  });

  it("is answered by a terminal while the editor is asked, and shows the editor what came of it", async () => {
    const { start, folder, cogency } = place();
    const editor = editorOf(start(["acp", ...calling([write("a.txt")])], { keepsInput: true }), {
      permission: () => new Promise(() => {}),
    });
    const { sessionId } = await editor.begin(folder);
    const answer = editor.prompt(sessionId, "go");
    await expect.poll(() => editor.asked.length, { timeout: 60_000 }).toBe(1);
    // Without its id it is only shown.
    expect((await cogency(["approve", sessionId])).stdout).toContain("a.txt");
    const { stdout } = await cogency(["history", "show", sessionId, "--json"]);
    const asked = jsonLines<{ kind?: string; data?: { id?: string } }>(stdout).find(({ kind }) => kind === "question");
    const approved = await cogency(["approve", sessionId, asked?.data?.id ?? ""]);
    expect(approved.code, approved.stderr).toBe(0);
    expect((await answer).stopReason).toBe("end_turn");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("x");
    await editor.leave();
    expect(problemsIn(editor.crossed)).toEqual([]);
  });

  it("is written by one editor and watched by another, which may answer", async () => {
    const { start, folder } = place();
    const model = calling([write("a.txt")]);
    const first = editorOf(start(["acp", ...model], { keepsInput: true }), { permission: () => new Promise(() => {}) });
    const { sessionId } = await first.begin(folder);
    const answer = first.prompt(sessionId, "go");
    await expect.poll(() => first.asked.length, { timeout: 60_000 }).toBe(1);
    const second = editorOf(start(["acp", ...model], { keepsInput: true }), {
      permission: (request) => option(request, "allow_once"),
    });
    await second.initialize();
    await second.agent.request("session/load", { sessionId, cwd: folder, mcpServers: [] });
    expect((await answer).stopReason).toBe("end_turn");
    await expect.poll(() => saidIn(second.updates), { timeout: 60_000 }).toContain("That was it.");
    expect(saidIn(first.updates)).toContain("That was it.");
    await Promise.all([first.leave(), second.leave()]);
    expect(problemsIn(first.crossed)).toEqual([]);
    expect(problemsIn(second.crossed)).toEqual([]);
  });

  it("reads what the editor has not saved, and writes through it", async () => {
    const { start, folder } = place();
    const notes = join(folder, "notes.txt");
    const edit = { name: "edit", args: { file: "notes.txt", edits: [{ old: "typed", new: "edited" }] } };
    const buffers = new Map([[notes, "typed, not saved\n"]]);
    const editor = editorOf(
      start(["acp", "--mode", "edits", ...calling([{ name: "read", args: { file: "notes.txt" } }], [edit])], {
        keepsInput: true,
      }),
      { capabilities: files, buffers, permission: (request) => option(request, "allow_once") },
    );
    const { sessionId } = await editor.begin(folder);
    expect((await editor.prompt(sessionId, "go")).stopReason).toBe("end_turn");
    expect(JSON.stringify(editor.updates)).toContain("typed, not saved");
    expect(buffers.get(notes)).toBe("edited, not saved\n");
    await editor.leave();
  });

  it("is the only thing on stdout, whatever tools, modules and servers print there", async () => {
    const { start, folder } = place();
    writeFileSync(
      join(folder, "noisy.mjs"),
      `import { defineTool } from ${JSON.stringify(import.meta.resolve("@cogency/tools"))};
       console.log("noise of a module");
       process.stdout.write("noise without a line break");
       const execute = () => { console.log("noise of a tool"); console.table([1]); process.stdout.write("more\\n"); return "done"; };
       export default defineTool({ name: "noisy", description: "Prints.", input: { type: "object" }, annotations: { readOnlyHint: true }, execute });`,
    );
    const batches = [[{ name: "noisy", args: {} }], [shell("echo noise of a command")]];
    const editor = editorOf(
      start(["acp", "--tool", join(folder, "noisy.mjs"), ...calling(...batches)], { keepsInput: true }),
      { permission: (request) => option(request, "allow_once") },
    );
    const servers = [
      { name: "Quick server", command: process.execPath, args: [join(fixtures, "quick-mcp-server.js")], env: [] },
      { name: "noise", command: "/bin/sh", args: ["-c", "echo noise of a server; sleep 1"], env: [] },
    ];
    const { sessionId } = await editor.begin(folder, servers);
    expect((await editor.prompt(sessionId, "go")).stopReason).toBe("end_turn");
    expect(await editor.leave()).toBe(0);
    expect(problemsIn(editor.crossed)).toEqual([]);
    for (const noise of ["noise of a module", "noise of a tool"]) expect(editor.stderr).toContain(noise);
    expect(JSON.stringify(editor.updates)).toContain("noise of a command");
  });

  it("asks for the key that is missing, and begins once it is kept", async () => {
    const { start, folder, cogency } = place();
    const editor = editorOf(start(["acp", "--provider", "anthropic"], { keepsInput: true }));
    const { authMethods } = await editor.initialize();
    await expect(editor.agent.request("session/new", { cwd: folder, mcpServers: [] })).rejects.toMatchObject({
      code: -32_000,
      message: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    const methodId = authMethods?.[0]?.id ?? "";
    await expect(editor.agent.request("authenticate", { methodId })).rejects.toMatchObject({ code: -32_000 });
    const key = "sk-ant-secret-of-this-test";
    expect((await cogency(["config", "key", "set", "ANTHROPIC_API_KEY"], { input: key })).code).toBe(0);
    await editor.agent.request("authenticate", { methodId });
    await editor.agent.request("session/new", { cwd: folder, mcpServers: [] });
    await editor.leave();
    expect(`${JSON.stringify(editor.crossed)}${editor.stderr}`).not.toContain(key);
    expect(problemsIn(editor.crossed)).toEqual([]);
  });
});
