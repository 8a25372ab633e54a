import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Crossed, problemsIn } from "./support/acp-messages.ts";
import { bin, calling, fixtures, type Outcome, outcomeOf, place, written } from "./support/command-line.ts";

const acpx = fileURLToPath(new URL("../node_modules/acpx/dist/cli.js", import.meta.url));

/**
 * A folder in which `acpx` uses `cogency acp` as it is built.
 *
 * @param through a program between them, if not absent
 */
function client(through: readonly string[] = []) {
  const at = place();
  const agent = (options: readonly string[]) =>
    [process.execPath, ...through, bin, "acp", ...options].map((word) => `'${word}'`).join(" ");
  const start = (options: readonly string[], args: readonly string[]) => {
    const all = ["--agent", agent(options), "--cwd", at.folder, "--format", "json", "--json-strict"];
    const { PATH } = process.env;
    const child = spawn(process.execPath, [acpx, ...all, "--timeout", "120", "--ttl", "1", ...args], {
      cwd: at.folder,
      env: { PATH, HOME: at.folder },
    });
    child.stdin.end();
    return child;
  };
  const run = (options: readonly string[], args: readonly string[]) => outcomeOf(start(options, args));
  return { ...at, startClient: start, run };
}

/** Strict JSON of acpx: messages of both sides, one a line. */
function messagesIn({ stdout }: Outcome): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The messages, each with its sender. The agent asks for files, terminals and permissions; every other request is the editor's. */
function crossedIn(outcome: Outcome): Crossed[] {
  const open: { from: Crossed["from"]; id: unknown }[] = [];
  return messagesIn(outcome).map((message) => {
    const { method, id } = message;
    const line = JSON.stringify(message);
    if (typeof method === "string") {
      const isOfAgent = /^(?:fs|terminal|elicitation)\/|^session\/(?:update|request_permission)$/.test(method);
      const from = isOfAgent ? "agent" : "editor";
      if (id !== undefined) open.push({ from, id });
      return { from, line };
    }
    const at = open.findLastIndex((request) => request.id === id);
    const [request] = at < 0 ? [] : open.splice(at, 1);
    return { from: request?.from === "agent" ? "editor" : "agent", line };
  });
}

describe("acpx --json-strict", { timeout: 300_000 }, () => {
  it("runs a prompt whose call is allowed, and one whose call is refused", async () => {
    const { run, folder } = client();
    const offline = ["--provider", "offline"];
    const allowed = await run(offline, ["--approve-all", "exec", 'write "x" to yes.txt']);
    expect(allowed.code, allowed.stderr).toBe(0);
    expect(existsSync(join(folder, "yes.txt"))).toBe(true);
    expect(problemsIn(crossedIn(allowed))).toEqual([]);
    const refused = await run(offline, ["--deny-all", "exec", 'write "x" to no.txt']);
    expect(refused.code, refused.stderr).toBe(5);
    expect(existsSync(join(folder, "no.txt"))).toBe(false);
    expect(problemsIn(crossedIn(refused))).toEqual([]);
  });

  it.each([
    { asks: "session/resume", through: [] },
    // acpx loads a session only if the agent cannot resume it.
    { asks: "session/load", through: [join(fixtures, "without-resume.mjs")] },
  ])("goes on with a session in another process by $asks", async ({ asks, through }) => {
    const { run, cogency } = client(through);
    const echo = ["--provider", "offline"];
    const made = await run(echo, ["sessions", "new"]);
    expect(made.code, made.stderr).toBe(0);
    const first = await run(echo, ["--approve-all", "prompt", "list ."]);
    expect(first.code, first.stderr).toBe(0);
    // The process that held the session has ended after its second without work.
    await expect
      .poll(async () => (await run(echo, ["status"])).stdout, { timeout: 60_000, interval: 500 })
      .not.toMatch(/"alive"/);
    const second = await run(echo, ["--approve-all", "prompt", "read notes.txt"]);
    expect(second.code, second.stderr).toBe(0);
    expect(messagesIn(second).map(({ method }) => method)).toContain(asks);
    expect(problemsIn(crossedIn(second))).toEqual([]);
    const { stdout } = await cogency(["history", "list"]);
    // Below the head of the table.
    expect(stdout.trim().split("\n")).toEqual([expect.any(String), expect.stringContaining("list .")]);
  });

  it("cancels a prompt that hangs", async () => {
    const { run, startClient } = client();
    const hanging = calling([{ name: "shell", args: { command: "sleep 300" } }]);
    expect((await run(hanging, ["sessions", "new"])).code).toBe(0);
    const prompt = startClient(hanging, ["--approve-all", "prompt", "go"]);
    const ended = outcomeOf(prompt);
    await written(prompt.stdout, /"in_progress"/);
    expect(messagesIn(await run(hanging, ["cancel"]))).toMatchObject([{ cancelled: true }]);
    const crossed = await ended;
    expect(messagesIn(crossed)).toContainEqual(expect.objectContaining({ result: { stopReason: "cancelled" } }));
    expect(problemsIn(crossedIn(crossed))).toEqual([]);
  });
});
