import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { problemsIn } from "./support/acp-messages.ts";
import { calling, models, outcomeOf, place } from "./support/command-line.ts";
import { editorOf, option, saidIn } from "./support/editor.ts";
import { openedPage } from "./support/open-page.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const write = calling([{ name: "write", args: { file: "a.txt", content: "x" } }]);
const eventually = { timeout: 60_000, interval: 100 };
const silent = { permission: () => new Promise<null>(() => {}) };
const allowing = { permission: (request: Parameters<typeof option>[0]) => option(request, "allow_once") };

/** An editor whose prompt has come to a question, which its person does not answer. */
async function askedEditor() {
  const at = place();
  const editor = editorOf(at.start(["acp", ...write], { keepsInput: true }), silent);
  const { sessionId } = await editor.begin(at.folder);
  const answer = editor.prompt(sessionId, "go");
  await expect.poll(() => editor.asked.length, eventually).toBe(1);
  return { ...at, editor, sessionId, answer };
}

describe("a session of an editor and other places", { timeout: 300_000 }, () => {
  it.skipIf(!hasPseudoTerminal)("is shown by cogency attach, which answers its question", async () => {
    const { editor, sessionId, answer, ...at } = await askedEditor();
    const terminal = pseudoTerminal(at, ["attach", sessionId]);
    await terminal.shows(/> go[\s\S]*content +x[\s\S]*Allow it\? y, or n/);
    // A line that comes too soon after the question is not its answer, and stays: Ctrl-U takes it away.
    const isAnswered = () => {
      const isWritten = existsSync(join(at.folder, "a.txt"));
      if (!isWritten) terminal.type("\u0015y\r");
      return isWritten;
    };
    await expect.poll(isAnswered, { ...eventually, interval: 1000 }).toBe(true);
    expect((await answer).stopReason).toBe("end_turn");
    await terminal.shows(/That was it\.[\s\S]*idle/);
    expect(saidIn(editor.updates)).toContain("That was it.");
    terminal.type("\u0003");
    expect(await terminal.ended).toBe(0);
    await editor.leave();
    expect(problemsIn(editor.crossed)).toEqual([]);
  });

  it("is shown on the page of cogency open, which answers its question", async () => {
    const { editor, sessionId, answer, start, folder } = await askedEditor();
    const { child, outcome, ask, api, headers } = await openedPage(start, [sessionId, "--provider", "offline"]);
    expect(await ask("")).toMatchObject({ body: [{ conversation: sessionId, title: "go" }] });
    const log = await firstEvents(`${api}/conversations/${sessionId}/events?view=log`, headers, /"kind":"question"/);
    expect(log).toContain('"content":"go"');
    const [, question] = /"kind":"question","data":\{"id":"([^"]+)"/.exec(log) ?? [];
    const posted = await ask(`/${sessionId}/messages`, { id: "1", kind: "approve", question });
    expect(posted.status).toBe(202);
    expect((await answer).stopReason).toBe("end_turn");
    expect(existsSync(join(folder, "a.txt"))).toBe(true);
    // Either process goes on, each with its own model.
    expect(saidIn(editor.updates)).toMatch(/That was it\.|`write` returned/);
    child.kill("SIGINT");
    expect((await outcome).code).toBe(130);
    await editor.leave();
    expect(problemsIn(editor.crossed)).toEqual([]);
  });

  it.skipIf(!hasPseudoTerminal)("shows an editor a run of a terminal, whose question the editor answers", async () => {
    const at = place();
    const terminal = pseudoTerminal(at, ["go", "--conversation", "mine", ...write]);
    await terminal.shows(/Allow it\?/);
    const editor = editorOf(at.start(["acp", ...write], { keepsInput: true }), allowing);
    await editor.initialize();
    await editor.agent.request("session/load", { sessionId: "mine", cwd: at.folder, mcpServers: [] });
    expect(saidIn(editor.updates, "user_message_chunk")).toBe("go");
    await terminal.shows(/write was approved from elsewhere\.[\s\S]*✓ write/);
    expect(await terminal.ended).toBe(0);
    await expect.poll(() => saidIn(editor.updates), eventually).toContain("That was it.");
    expect(editor.asked).toMatchObject([{ sessionId: "mine", toolCall: { title: expect.stringContaining("a.txt") } }]);
    expect(existsSync(join(at.folder, "a.txt"))).toBe(true);
    await editor.leave();
    expect(problemsIn(editor.crossed)).toEqual([]);
  });

  it("is seen by cogency attach --json, event by event", async () => {
    const { editor, sessionId, answer, cogency, start } = await askedEditor();
    const watching = outcomeOf(start(["attach", sessionId, "--json"]));
    const asked = await cogency(["approve", sessionId]);
    const [, question = ""] = /cogency approve \S+ (\S+)/.exec(asked.stdout) ?? [];
    expect((await cogency(["approve", sessionId, question])).code).toBe(0);
    expect((await answer).stopReason).toBe("end_turn");
    const { code, stdout } = await watching;
    expect([0, 6]).toContain(code);
    expect(stdout).toContain('"content":"go"');
    await editor.leave();
  });
});

describe("a notice to a session of an editor", { timeout: 300_000 }, () => {
  const echo = ["--provider", models, "--model", "echo"];

  it("begins a turn of an idle session, which the editor shows; a quiet one waits for the next prompt", async () => {
    const { start, folder, cogency } = place();
    const editor = editorOf(start(["acp", ...echo], { keepsInput: true }));
    const { sessionId } = await editor.begin(folder);
    await editor.prompt(sessionId, "hi");
    const answered = () => saidIn(editor.updates).match(/You said/g)?.length;
    expect(answered()).toBe(1);
    const notify = (...words: string[]) => cogency(["notify", sessionId, ...words, "--source", "ci"]);
    expect((await notify("a.ts has changed", "--no-wake")).code).toBe(0);
    expect((await notify("build 12 failed")).code).toBe(0);
    await expect.poll(answered, eventually).toBe(2);
    expect((await editor.prompt(sessionId, "well?")).stopReason).toBe("end_turn");
    expect(answered()).toBe(3);
    const { stdout } = await cogency(["history", "show", sessionId]);
    expect(stdout.match(/build 12 failed/g)).toHaveLength(1);
    await editor.leave();
    expect(problemsIn(editor.crossed)).toEqual([]);
  });

  it("waits in a session whose last turn was cancelled, for the next prompt", async () => {
    const { start, folder, cogency } = place();
    const editor = editorOf(start(["acp", ...write], { keepsInput: true }), silent);
    const { sessionId } = await editor.begin(folder);
    const answer = editor.prompt(sessionId, "go");
    await expect.poll(() => editor.asked.length, eventually).toBe(1);
    await editor.agent.notify("session/cancel", { sessionId });
    expect((await answer).stopReason).toBe("cancelled");
    expect((await cogency(["notify", sessionId, "build 12 failed", "--source", "ci"])).code).toBe(0);
    expect(saidIn(editor.updates)).not.toContain("That was it");
    expect((await editor.prompt(sessionId, "well?")).stopReason).toBe("end_turn");
    expect(saidIn(editor.updates).match(/That was it/g)).toHaveLength(1);
    await editor.leave();
  });

  it("comes of a command in the background that has ended", async () => {
    const { start, folder } = place();
    const model = ["--provider", models, "--model", "in-background"];
    const editor = editorOf(start(["acp", ...model], { keepsInput: true }), allowing);
    const { sessionId } = await editor.begin(folder);
    expect((await editor.prompt(sessionId, "go")).stopReason).toBe("end_turn");
    expect(saidIn(editor.updates)).toContain("It runs.");
    writeFileSync(join(folder, "go"), "");
    await expect.poll(() => saidIn(editor.updates), eventually).toMatch(/I hear: .*in the background has ended/s);
    expect(await editor.leave()).toBe(0);
    expect(problemsIn(editor.crossed)).toEqual([]);
  });
});

/** The events of a conversation up to one that matches. */
async function firstEvents(address: string, headers: Record<string, string>, pattern: RegExp): Promise<string> {
  const leaving = new AbortController();
  const { body } = await fetch(address, { headers, signal: leaving.signal });
  let text = "";
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (pattern.test(text)) break;
  }
  leaving.abort();
  return text;
}
