import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "@cogency/storage-sqlite";
import { argumentsHash } from "@cogency/tools/host";
import { describe, expect, it } from "vitest";
import { killedWithYes, writeKey } from "./support/approved.ts";
import { calling, jsonLines, outcomeOf, place, resultsOf, written } from "./support/command-line.ts";
import { isolation } from "./support/isolation.ts";

const { isolated } = await isolation();

const resume = ["run", "--resume", "--conversation", "c"];

describe("cogency run --resume", () => {
  it("continues a killed run without a new prompt", async () => {
    const { cogency, start, folder } = place();
    writeFileSync(join(folder, "wait.js"), "console.log('begun'); setTimeout(() => {}, 60_000)");
    const calls = [
      { name: "read", args: { file: "notes.txt" } },
      { name: "shell", args: { command: "node wait.js" } },
      { name: "write", args: { file: "after.txt", content: "x" } },
    ];
    const child = start(["run", "go", "--yes", "--conversation", "c", ...calling(calls)]);
    const begun = written(child.stderr, /→ shell/);
    const outcome = outcomeOf(child);
    await begun;
    child.kill("SIGKILL");
    await outcome;

    const { code, stdout, stderr } = await cogency([...resume, "--json", "--yes", ...calling([])]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(resultsOf(stdout)).toMatchObject([
      { tool: "read", status: "success" },
      { tool: "shell", status: "failure", content: expect.stringContaining("outcome unknown") },
      { tool: "write", status: "success" },
    ]);
    const { stdout: history } = await cogency(["history", "show", "c"]);
    expect(history.match(/^> /gm)).toHaveLength(1);
    expect(history).toMatch(/^✗ shell outcome unknown/m);
  });

  const key = "ab".repeat(32);
  const resumeDenied = [...resume, "--json", "--deny", "--access", "project"];

  it("runs approved calls without asking again, and no other call", async () => {
    const { cogency, folder, store: path } = place();
    writeKey(folder, key);
    const [yes, open] = ["yes", "open"].map((file) => ({ name: "write", args: { file, content: file } }));
    if (!yes || !open) throw new Error("two calls");
    await killedWithYes({ store: path, key, root: folder, calls: [yes] });
    const asked = { id: "2", name: "write", hash: await argumentsHash(open.args), question: "q" };
    const store = await sqliteStore({ path });
    await store.append({ conversation: "c" }, [
      { type: "call", content: JSON.stringify(open), id: "2", timestamp: 1 },
      { type: "record", kind: "approval", data: { ...asked, status: "asked" }, timestamp: 1 },
    ]);
    await store.close();

    const { code, stdout } = await cogency([...resumeDenied, ...calling([])]);
    expect(code).toBe(0);
    expect(resultsOf(stdout)).toMatchObject([{ status: "success", content: { file: "yes" } }, { status: "failure" }]);
    expect(existsSync(join(folder, "open"))).toBe(false);
  });

  it("does not run in another folder a call that was approved in this one", async () => {
    const { cogency, folder, store } = place();
    writeKey(folder, key);
    const [one = "", other = ""] = ["one", "other"].map((name) => join(folder, name));
    for (const root of [one, other]) mkdirSync(join(root, "build"), { recursive: true });
    const calls = [{ name: "shell", args: { command: "rm -rf build" } }];
    await killedWithYes({ store, key, root: one, calls });

    const { stdout } = await cogency([...resumeDenied, "--root", other, ...calling([])]);
    expect(resultsOf(stdout)).toMatchObject([
      { tool: "shell", status: "failure", content: expect.stringContaining("does not count any more") },
    ]);
    expect([one, other].map((root) => existsSync(join(root, "build")))).toEqual([true, true]);
  });

  it.skipIf(!isolated)("does not run outside of the sandbox a call that was approved inside it", async () => {
    const { cogency, folder, store } = place();
    writeKey(folder, key);
    await killedWithYes({ store, key, root: folder, calls: [{ name: "shell", args: { command: "touch made" } }] });
    const { stdout } = await cogency([...resumeDenied, "--sandbox", "off", ...calling([])]);
    expect(resultsOf(stdout)).toMatchObject([
      { tool: "shell", status: "failure", content: expect.stringContaining("does not count any more") },
    ]);
    expect(existsSync(join(folder, "made"))).toBe(false);
  });

  it("asks no model if the last run has ended, and gives its answer again", async () => {
    const { cogency } = place();
    const first = await cogency(["run", "go", "--conversation", "c", ...calling([])]);
    const again = await cogency([...resume, ...calling([])]);
    expect([again.code, again.stdout]).toEqual([0, first.stdout]);
    const { stdout } = await cogency([...resume, "--json", ...calling([])]);
    expect(jsonLines(stdout)).toMatchObject([
      { type: "run_started", mode: "recover" },
      { type: "run_ended", status: "completed" },
      { type: "run", status: "completed", steps: 0 },
    ]);
  });
});
