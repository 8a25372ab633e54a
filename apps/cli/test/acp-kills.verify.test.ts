import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { problemsIn } from "./support/acp-messages.ts";
import { calling, place } from "./support/command-line.ts";
import { editorOf, option, saidIn, type TestEditor } from "./support/editor.ts";
import { isolation } from "./support/isolation.ts";

const { isolated } = await isolation();

/** How an editor, or the process that it has started, ends. */
const ends = {
  "the editor closes the pipes": ({ leave }: TestEditor) => void leave(),
  "the editor is gone, and nobody reads": ({ child }: TestEditor) => {
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
  },
  "cogency is told to end": ({ child }: TestEditor) => void child.kill("SIGTERM"),
  // The process that serves ends by itself, and ends what it has started.
  "cogency is killed": ({ child }: TestEditor) => void child.kill("SIGKILL"),
  "the process that serves is killed": ({ child }: TestEditor) => {
    const [serving] = childrenOf(child.pid ?? 0);
    process.kill(serving ?? 0, "SIGKILL");
  },
} as const;
const names = Object.keys(ends) as (keyof typeof ends)[];

/** Milliseconds after the prompt; the calls begin at different moments on each machine. At the last one they are at work. */
const moments = [0, 150, 400, 900, 1800];

describe("an editor that ends at any moment", { timeout: 900_000 }, () => {
  const tries = names.flatMap((end) => moments.map((delay) => ({ end, delay })));

  it.each(tries)("leaves no process, and the session goes on: $end after $delay ms", async ({ end, delay }) => {
    // Without a sandbox nobody ends the commands of a process that was killed.
    if (end === "the process that serves is killed" && !isolated) return;
    const { start, folder } = place();
    const mark = `0.${process.pid}${names.indexOf(end)}${delay}`;
    const command = `sleep 600 ${mark}`;
    const calls = [
      [{ name: "shell", args: { command, background: true } }],
      [{ name: "write", args: { file: "a.txt", content: "x" } }],
      [{ name: "shell", args: { command: `echo on; ${command}` } }],
    ];
    const server = { name: "waits", command: "/bin/sh", args: ["-c", `exec sleep 600 ${mark}`], env: [] };
    const sandbox = isolated ? "required" : "off";
    const allowing = {
      permission: async (request: Parameters<typeof option>[0]) => option(request, "allow_once"),
    };
    const editor = editorOf(start(["acp", "--sandbox", sandbox, ...calling(...calls)], { keepsInput: true }), allowing);
    const { sessionId } = await editor.begin(folder, [server]);
    const prompt = editor.prompt(sessionId, "go").catch(() => undefined);
    await setTimeout(delay);
    if (delay === moments.at(-1)) await vi.waitFor(() => expect(withMark(mark)).not.toEqual([]), { timeout: 60_000 });
    ends[end](editor);
    await editor.closed;
    const nothing = () => expect([...withMark(mark), ...withMark(mark, true)]).toEqual([]);
    await vi.waitFor(nothing, { timeout: 60_000, interval: 100 });
    expect(problemsIn(wholeLines(editor))).toEqual([]);
    await Promise.race([prompt, setTimeout(0)]);

    const again = editorOf(start(["acp", "--provider", "offline"], { keepsInput: true }), allowing);
    const { agent } = again;
    await again.initialize();
    // Before its words are in the log, there is no session.
    const { sessions } = await agent.request("session/list", { cwd: folder });
    if (sessions.length > 0) {
      expect(sessions).toMatchObject([{ sessionId }]);
      await agent.request("session/load", { sessionId, cwd: folder, mcpServers: [] });
      expect(saidIn(again.updates, "user_message_chunk")).toContain("go");
      expect((await again.prompt(sessionId, "read notes.txt")).stopReason).toBe("end_turn");
      expect(saidIn(again.updates)).toContain("hello from the notes");
    }
    expect(await again.leave()).toBe(0);
    expect(problemsIn(again.crossed)).toEqual([]);
  });
});

/** The processes that one has started. */
function childrenOf(id: number): number[] {
  const text = readFileSync(`/proc/${id}/task/${id}/children`, "utf8");
  return text.split(" ").map(Number).filter(Boolean);
}

/** The command lines of processes that carry a mark: those of cogency itself, or all others. */
function withMark(mark: string, isOwn = false): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const words = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
        return words.some((word) => word.includes(mark)) && words.includes("acp") === isOwn ? [words.join(" ")] : [];
      } catch {
        return [];
      }
    });
}

/** What crossed without a last line that was cut off. */
function wholeLines({ crossed }: TestEditor): TestEditor["crossed"] {
  return crossed.filter(({ line }) => line.endsWith("}"));
}
