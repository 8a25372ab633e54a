import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type ProgramOptions, program } from "../src/node/index.ts";
import { attacked, type Seen, secret } from "./hostile/attacked.ts";
import { isRunning, pidsIn } from "./support/processes.ts";

const file = fileURLToPath(new URL("hostile/program.ts", import.meta.url));
const evil = ({ states }: Seen) => states.find(({ name }) => name === "evil");

let pids: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "cogency-hostile-"));
  pids = join(folder, "pids");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function hostile(args: readonly string[], more: Partial<ProgramOptions> = {}) {
  return program({ command: process.execPath, args: [file, ...args], env: { API_KEY: secret }, ...more });
}

describe("a program that is a server", () => {
  it.each<[string, string[]]>([
    ["before it has answered the handshake", ["exits", "initialize"]],
    ["where it shall list its tools", ["exits", "tools/list", "0"]],
    ["with its stdout closed where it shall list", ["closesStdout", "tools/list"]],
  ])("that ends %s is left out, with how it ended", async (_, args) => {
    const seen = await attacked({
      connector: hostile(args),
      server: { timeouts: { connect: 3000 } },
      steps: [],
    });
    expect(evil(seen)?.status).not.toBe("ready");
    // It may be on its way to be started again.
    const reasons = seen.events.map((event) => (event.type === "state" ? event.state.reason : undefined));
    expect(reasons.join()).toMatch(/program ended \(exit code \d\)|did not (connect|answer)|ended the connection/);
  });

  it("that ends in the middle of a call gives a sentence: whether it took effect is unknown", async () => {
    const { results } = await attacked({ connector: hostile(["exits", "tools/call"]) });
    expect(results[0]?.status).toBe("failure");
    expect(results[0]?.content).toContain("ended in the middle of this call");
    expect(results[0]?.content).toContain("exit code 3");
  });

  it("that does not end by itself, not even at TERM, is gone after the run", async () => {
    await attacked({ connector: hostile(["staysAlive", pids]) });
    expect(pidsIn(pids)).toHaveLength(1);
    expect(pidsIn(pids).filter(isRunning)).toEqual([]);
  });

  it("that starts others, which hold its pipes, is gone with them", async () => {
    await attacked({ connector: hostile(["forks", pids]) });
    expect(pidsIn(pids)).toHaveLength(2);
    await expect.poll(() => pidsIn(pids).filter(isRunning)).toEqual([]);
  });

  it("that writes a line without an end is cut, and holds no more memory than the limit of a message", async () => {
    const seen = await attacked({ connector: hostile(["endlessLine", "100"]) });
    expect(seen.results[0]?.status).toBe("failure");
    expect(seen.results[0]?.content).toMatch(/sent a line of more than 8388608 bytes/);
  });

  it("that writes 100 MB to its stderr tells the host a bounded number of lines", async () => {
    const { results, events } = await attacked({
      connector: hostile(["talks", "100"]),
      server: { timeouts: { connect: 60_000, call: 120_000 } },
    });
    expect(results[0]?.content).toBe("talked");
    const lines = events.filter(({ type }) => type === "log");
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(3000);
  });

  it("that prints what is no message works; what it prints is its log, without escape sequences", async () => {
    const { results, events } = await attacked({ connector: hostile(["greets"]) });
    expect(results[0]?.content).toBe("honest");
    const text = events.flatMap((event) => (event.type === "log" ? [event.text] : [])).join("\n");
    expect(text).toContain("stdout: Welcome!");
    expect(text).not.toContain("\u001b");
  });

  it("gets no variable of this process but those that are named, and shows none of these in a result", async () => {
    process.env.COGENCY_TEST_OTHER_KEY = "sk-of-another-0123456789";
    onTestFinished(() => void delete process.env.COGENCY_TEST_OTHER_KEY);
    const { results } = await attacked({ connector: hostile(["environment"]) });
    const text = JSON.stringify(results[0]?.content);
    expect(text).toContain("PATH");
    expect(text).not.toContain("sk-of-another");
    expect(text).toContain("[hidden]");
  });

  it.each<[string, Partial<ProgramOptions>]>([
    ["is not there", { command: "/nowhere/server" }],
    ["is no program", { command: file }],
    ["has a folder that is not there", { cwd: "/nowhere" }],
  ])("that %s is left out with a sentence, and not tried for ever", async (_, more) => {
    const seen = await attacked({ connector: hostile([], more), steps: [] });
    expect(evil(seen)).toMatchObject({ status: "failed", reason: expect.stringContaining("cannot be started") });
    expect(seen.events.length).toBeLessThan(6);
  });
});
